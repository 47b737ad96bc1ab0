// SPDX-License-Identifier: Apache-2.0
// A strict stand-in for the Telegram Bot API on loopback.
//
// A bot talks to `url` as it would to Telegram; a test looks at `messages()`, acts as people with `tap()` and `say()`,
// and orders failures with `fail()`. It is strict where a lenient one would hide a fault: unknown fields are refused,
// and it refuses to run if something it says itself does not fit Telegram's types. Its words and rules are those of the
// open-source Bot API server; what is not imitated is refused and says so.
//
//   node telegram_simulator.mjs [--token T] [--port N] [--control-port N]     prints one JSON line with both addresses
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { Failures } from './failures.mjs';
import { listen } from './loopback.mjs';
import { keepSecret } from './secrets.mjs';
import { ApiError, badRequest } from './telegram/api_error.mjs';
import { readBody } from './telegram/bodies.mjs';
import { controlServer } from './telegram/control.mjs';
import { checkKind, refusal } from './telegram/failures.mjs';
import { methods, unauthorized, unknownMethod } from './telegram/methods.mjs';
import { People } from './telegram/people.mjs';
import { checkBody } from './telegram/rules.mjs';
import { Updates } from './telegram/updates.mjs';
import { Webhook } from './telegram/webhook.mjs';
import { World } from './telegram/world.mjs';
import { validate, validateReceived } from './telegram_schema.mjs';

const defaultToken = '123456:TEST-token-of-the-simulator';

export class TelegramSimulator {
    // retryUnit: milliseconds that stand for one second between two tries of a webhook. frozen: see World.
    static async start({ token = defaultToken, strict = true, retryUnit = 10, frozen, port, controlPort } = {}) {
        const simulator = new TelegramSimulator({ token, strict, retryUnit, frozen });
        simulator.#api = await listen(
            http.createServer((q, r) => simulator.#serve(q, r)),
            port,
        );
        simulator.#control = await listen(controlServer(simulator), controlPort);
        simulator.url = `http://127.0.0.1:${simulator.#api.port}`;
        simulator.controlUrl = `http://127.0.0.1:${simulator.#control.port}`;
        return simulator;
    }

    #api;
    #control;
    #failures = new Failures();
    #responses = new Set(); // of calls that are not answered yet

    constructor({ token, strict, retryUnit, frozen }) {
        Object.assign(this, { token, strict });
        keepSecret("Telegram's token", token);
        this.journal = [];
        const id = Number(token.split(':')[0]);
        this.world = new World(
            { id, is_bot: true, first_name: 'Countersign', username: 'countersign_bot' },
            { frozen },
        );
        this.updates = new Updates(this.world, (update) => this.#checkOwn('Update', update));
        this.people = new People(this.world, this.updates);
        const call = (method, body) => this.#call(method, body, {}, { via: 'webhook reply' }).catch(() => {});
        this.webhook = new Webhook(this.updates, this.world, { call, retryUnit });
    }

    async close() {
        this.webhook.set({ url: '' });
        await Promise.all([this.#api.close(), this.#control.close()]);
    }

    // What the bot sent, as people see it now: {chat, message_id, text, entities, keyboard, document, deleted,
    // history}.
    messages({ chat } = {}) {
        const sent = [...this.world.chats.values()].flatMap((known) => [...known.messages.values()]);
        return sent
            .filter(
                ({ message }) => message.from.id === this.world.bot.id && (chat ?? message.chat.id) === message.chat.id,
            )
            .map(({ message, deleted, history, file }) => ({
                chat: message.chat.id,
                message_id: message.message_id,
                text: message.text ?? message.caption ?? '',
                entities: message.entities ?? message.caption_entities ?? [],
                keyboard: message.reply_markup?.inline_keyboard ?? [],
                ...(file && { document: { ...message.document, content: file.toString('utf8') } }),
                ...(message.reply_to_message && { reply_to: message.reply_to_message.message_id }),
                ...(message.is_topic_message && { topic: message.message_thread_id }),
                deleted,
                history,
            }));
    }

    // Every tap with the answer it got: {id, user, chat, message, data, answer: null | {text, alert}}.
    taps() {
        return [...this.world.queries.values()];
    }

    tap(act) {
        return this.people.tap(act);
    }
    say(act) {
        return this.people.say(act);
    }
    edit(act) {
        return this.people.edit(act);
    }
    migrate(act) {
        return this.people.migrate(act);
    }
    addUser(user) {
        return this.world.addUser(user);
    }
    addChat(chat) {
        return this.world.addChat(chat);
    }
    block(chat) {
        this.world.block(chat);
    }
    unblock(chat) {
        this.world.unblock(chat);
    }
    advance(seconds) {
        this.world.shift += seconds;
    }
    hold() {
        this.updates.hold(true);
    }
    release() {
        this.updates.hold(false);
    }
    replay(updateId) {
        this.updates.replay(updateId);
    }
    fail(failure) {
        checkKind(failure);
        this.#failures.order(failure);
    }
    // The network is away until clearFailures(), also for a poll that is held.
    goOffline() {
        this.fail({ method: '*', kind: 'drop', times: Infinity });
        this.#responses.forEach((response) => response.socket?.destroy());
    }
    clearFailures() {
        this.#failures.clear();
    }
    calls(method) {
        return this.journal.filter((entry) => entry.method === method);
    }

    #checkOwn(type, value) {
        const wrong = validateReceived(type, value);
        if (wrong) throw new Error(`the simulator made a wrong ${type}: ${wrong}\n${JSON.stringify(value)}`);
    }

    // A line in the journal for each call. The token is never in it.
    #note(method, body, via = 'http') {
        const entry = { n: this.journal.length + 1, at: this.world.now(), method, body, via, ok: false, error: null };
        this.journal.push(entry);
        return entry;
    }

    async #call(method, body, files, { via, gone } = {}) {
        const entry = this.#note(method, body, via);
        try {
            if (!Object.hasOwn(methods, method)) throw unknownMethod();
            checkBody(method, body);
            const wrong = this.strict ? validate(method, body) : null;
            if (wrong) throw badRequest(`strict: ${method}: ${wrong}`);
            const { world, updates, webhook } = this;
            const result = await methods[method]({ world, updates, webhook, gone }, body, files);
            entry.ok = true;
            return { ok: true, result };
        } catch (error) {
            entry.error = error.message;
            throw error;
        }
    }

    async #serve(request, response) {
        this.#responses.add(response);
        const gone = new Promise((resolve) => {
            response.on('close', () => {
                this.#responses.delete(response);
                resolve();
            });
        });
        try {
            const [, token, method] = /^\/bot([^/]+)\/([A-Za-z]+)$/.exec(request.url) ?? [];
            if (!method) throw new ApiError(404, 'Not Found');
            if (token !== this.token) throw unauthorized();
            const { body, files } = await readBody(request, method);
            const failure = this.#failures.take(method);
            if (failure && failure.kind !== 'cut')
                return this.#failed(request, response, failure, this.#note(method, body));
            this.#send(response, 200, await this.#call(method, body, files, { gone }), failure?.kind === 'cut');
        } catch (error) {
            const told =
                error instanceof ApiError
                    ? error
                    : new ApiError(500, `Internal Server Error: the simulator failed: ${error.stack}`);
            this.#send(response, told.code, told.body());
        }
    }

    #failed(request, response, failure, entry) {
        entry.error = `ordered: ${failure.kind}`;
        if (failure.kind === 'hang') return;
        if (failure.kind === 'drop') return void request.socket.destroy();
        if (failure.kind !== 'server') throw refusal(failure);
        response.writeHead(failure.status ?? 502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    }

    #send(response, status, answer, cut = false) {
        const text = JSON.stringify(answer);
        response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
        if (cut) response.write(text.slice(0, text.length / 2), () => response.socket.destroy());
        else response.end(text);
    }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const option = (name) => process.argv[process.argv.indexOf(name) + 1 || Infinity];
    const simulator = await TelegramSimulator.start({
        token: option('--token'),
        port: Number(option('--port') ?? 0),
        controlPort: Number(option('--control-port') ?? 0),
    });
    console.log(JSON.stringify({ url: simulator.url, control: simulator.controlUrl, token: simulator.token }));
}
