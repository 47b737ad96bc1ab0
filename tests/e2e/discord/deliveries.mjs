// SPDX-License-Identifier: Apache-2.0
// How an interaction reaches the app: as an event of the gateway, or signed and posted to its address. Never both.
import { generateKeyPairSync, sign } from 'node:crypto';
import { ApiError } from './api_error.mjs';
import { answerMax, kind } from './interactions.mjs';

const jsonType = 'application/json';

const keyPair = () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    return { privateKey, hex: Buffer.from(publicKey.export({ format: 'jwk' }).x, 'base64url').toString('hex') };
};

export class Deliveries {
    #keys = keyPair();

    constructor({ world, gateway, interactions, journal }) {
        Object.assign(this, { world, gateway, interactions, journal });
        this.webhook = null;
        this.publicKey = this.#keys.hex;
    }

    // Resolves with the acknowledgement, or rejects if there is none in time.
    async deliver(type, act, { age, signed }) {
        const interaction = this.interactions.create(type, { ...act, age });
        return this.webhook ? this.#post(interaction, signed) : this.#dispatch(interaction);
    }
    redeliver({ payload }, { signed } = {}) {
        if (this.webhook) return this.#postTo(this.webhook, payload, signed);
        return this.gateway.dispatch('INTERACTION_CREATE', payload);
    }
    ping({ signed, url = this.webhook } = {}) {
        const { payload } = this.interactions.create(kind.ping, { user: this.world.bot.id });
        return this.#postTo(url, payload, signed);
    }
    async verify(url) {
        const good = await this.ping({ url });
        const bad = await this.ping({ url, signed: { key: keyPair().privateKey } });
        return good.status === 200 && good.isJson && good.body?.type === 1 && bad.status === 401;
    }

    #answerTo(interaction) {
        const began = performance.now();
        return new Promise((resolve, reject) => {
            const late = setTimeout(() => reject(unacknowledged(interaction)), answerMax);
            interaction.answered = (body) => {
                clearTimeout(late);
                resolve({ body, took: performance.now() - began, interaction });
            };
        });
    }

    #dispatch(interaction) {
        if (!this.gateway.sessions.size) throw new Error('no session is open');
        const answer = this.#answerTo(interaction);
        this.gateway.dispatch('INTERACTION_CREATE', interaction.payload);
        return answer;
    }

    async #post(interaction, signed) {
        const answered = this.#answerTo(interaction);
        answered.catch(() => {}); // a response of the request itself comes first
        const began = performance.now();
        const { status, body, isJson } = await this.#postTo(this.webhook, interaction.payload, signed).catch(
            (error) => {
                throw error.name === 'TimeoutError' ? unacknowledged(interaction) : error;
            },
        );
        const took = performance.now() - began;
        if (status === 202) return { status, ...(await answered) };
        if (status !== 200) return { status, body, took, interaction };
        if (!isJson) throw new Error(`a response that is not ${jsonType}: ${body}`);
        try {
            this.interactions.respond(interaction, body);
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            this.journal.push({ route: 'interaction response', body, refused: error.words() });
            throw new Error(`the response was refused: ${error.words()}`, { cause: error });
        }
        return { status, body, took, interaction };
    }

    // signed: another key, timestamp or signature, or a body that alter() changes after it was signed.
    async #postTo(url, payload, signed = {}) {
        const text = JSON.stringify(payload);
        const timestamp = signed.timestamp ?? String(Math.floor(this.world.now() / 1000));
        const bytes = Buffer.from(timestamp + text);
        const signature = signed.signature ?? sign(null, bytes, signed.key ?? this.#keys.privateKey).toString('hex');
        const answer = await fetch(url, {
            method: 'POST',
            headers: {
                'content-type': jsonType,
                'user-agent': 'Discord-Interactions/1.0 (+https://discord.com)',
                ...(signature && { 'x-signature-ed25519': signature }),
                ...(timestamp && { 'x-signature-timestamp': timestamp }),
            },
            body: signed.alter ? signed.alter(text) : text,
            signal: AbortSignal.timeout(answerMax),
        });
        const said = await answer.text();
        const isJson = !!answer.headers.get('content-type')?.startsWith(jsonType);
        return { status: answer.status, isJson, body: isJson && said ? JSON.parse(said) : said };
    }
}

const unacknowledged = ({ id }) => new Error(`interaction ${id} was not acknowledged`);
