// SPDX-License-Identifier: Apache-2.0
// Delivery by webhook, with the server's own rules: taps are in order for each user, messages for each chat, different
// queues run in parallel, and an update that got no 2xx is tried again until it expires.
import http from 'node:http';
import https from 'node:https';
import { keepSecret } from '../secrets.mjs';

const secretMin = 16; // a shorter one may be a part of anything
const replyBytesMax = 1 << 20;
const answerWithin = 10_000;
// A method call in the reply runs, but these would make no sense there.
const notInReply = /^(get.*|setWebhook|deleteWebhook|close|logOut)$/;

const queueOf = ({ kind, update }) =>
    kind === 'callback_query' ? `user ${update.callback_query.from.id}` : `chat ${update[kind]?.chat?.id}`;
const loopback = (host) => ['127.0.0.1', 'localhost', '[::1]'].includes(host);

export class Webhook {
    #busy = new Set();
    #generation = 0;

    // call(method, body) runs what a reply asks for; retryUnit stands for Telegram's second between two tries.
    constructor(updates, world, { call, retryUnit }) {
        Object.assign(this, { updates, world, call, retryUnit });
        this.settings = { url: '' };
        this.deliveries = [];
        this.lastError = {};
        updates.webhookActive = () => this.settings.url !== '';
        updates.on('update', () => this.#pump());
    }

    set(settings) {
        this.settings = { max_connections: 40, ...settings };
        const { secret_token: secret = '' } = settings;
        if (secret.length >= secretMin) keepSecret("the secret of Telegram's webhook", secret);
        this.#generation++;
        this.#busy.clear();
        this.lastError = {};
        if (settings.url) this.updates.endPoll('terminated by setWebhook request');
        this.#pump();
    }

    info() {
        const { url, max_connections } = this.settings;
        return url
            ? { url, has_custom_certificate: false, max_connections, ...this.lastError }
            : { url: '', has_custom_certificate: false };
    }

    // Starts the first update of each queue that is not under way.
    #pump() {
        if (!this.settings.url || this.updates.held) return;
        for (const entry of this.updates.pending()) {
            const queue = queueOf(entry);
            if (this.#busy.size >= this.settings.max_connections) return;
            if (this.#busy.has(queue)) continue;
            this.#busy.add(queue);
            this.#deliver(entry, queue, this.#generation);
        }
    }

    async #deliver(entry, queue, generation) {
        for (let attempt = 1; ; attempt++) {
            const { status, reply, error, retryAfter } = await this.#post(entry.update);
            if (generation !== this.#generation) return;
            this.deliveries.push({ update_id: entry.update.update_id, attempt, status, error });
            if (status >= 200 && status < 300) {
                this.updates.take(entry);
                this.#busy.delete(queue);
                this.#run(reply);
                this.#pump();
                return;
            }
            this.lastError = {
                last_error_date: this.world.now(),
                last_error_message: error ?? `Wrong response from the webhook: ${status}`,
            };
            const seconds = Number(retryAfter) || (attempt === 1 ? 0 : Math.min(2 ** (attempt - 1), 60));
            await new Promise((resolve) => {
                setTimeout(resolve, seconds * this.retryUnit).unref();
            });
            if (generation !== this.#generation) return;
            if (!this.updates.pending().includes(entry)) {
                // expired, or dropped
                this.#busy.delete(queue);
                this.#pump();
                return;
            }
        }
    }

    #post(update) {
        const url = new URL(this.settings.url);
        if (!loopback(url.hostname))
            return Promise.resolve({ status: 0, error: 'strict: only loopback is delivered to' });
        const body = JSON.stringify(update);
        const secret = this.settings.secret_token;
        const headers = {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            ...(secret && { 'x-telegram-bot-api-secret-token': secret }),
        };
        const { request } = url.protocol === 'https:' ? https : http;
        return new Promise((resolve) => {
            const failed = (error) => resolve({ status: 0, error: error.message });
            const sent = request(
                url,
                { method: 'POST', headers, agent: false, timeout: answerWithin, rejectUnauthorized: false },
                (response) => {
                    let reply = '';
                    response.setEncoding('utf8').on('error', failed);
                    response.on('data', (part) => {
                        if (reply.length < replyBytesMax) reply += part;
                    });
                    response.on('end', () =>
                        resolve({ status: response.statusCode, reply, retryAfter: response.headers['retry-after'] }),
                    );
                },
            );
            sent.on('timeout', () => sent.destroy(new Error('Read timeout expired')))
                .on('error', failed)
                .end(body);
        });
    }

    #run(reply) {
        let asked;
        try {
            asked = JSON.parse(reply);
        } catch {
            return;
        }
        const { method, ...body } = asked ?? {};
        if (typeof method === 'string' && !notInReply.test(method)) this.call(method, body);
    }
}
