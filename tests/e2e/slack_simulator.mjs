// SPDX-License-Identifier: Apache-2.0
// A strict stand-in for Slack on loopback: the Web API, Socket Mode, and deliveries to a webhook.
//
// An app talks to `url` as it would to https://slack.com/api; a test looks at `messages()`, acts as people with
// `press()`, `submit()`, `slash()` and `say()`, and orders failures with `fail()`. Each of those four resolves with the
// acknowledgement: its body, and how long it took. It is strict where a lenient one would hide a fault: blocks and
// windows must fit Slack's own types and lengths, a trigger opens one window within 3 seconds, only a member may post
// and hears what is said, and a method needs its scope and its kind of token. The app has the scopes that
// deploy/slack-manifest.yaml asks for; a test takes some away from `scopes`.
//
//   node slack_simulator.mjs [--port N]     prints one JSON line with the address and the secrets
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import { Failures } from './failures.mjs';
import { bytesOf, listen } from './loopback.mjs';
import { readMultipart } from './multipart.mjs';
import { keepSecret } from './secrets.mjs';
import { problemOfBlocks, problemOfView } from './slack_schema.mjs';

const triggerMax = 3000;
const jsonType = 'application/json';
const formType = 'application/x-www-form-urlencoded';

class ApiError extends Error {
    constructor(error, detail, more = {}) {
        super(error);
        this.detail = detail;
        this.more = more; // members of the answer
    }
}

export const manifest = readFileSync(new URL('../../deploy/slack-manifest.yaml', import.meta.url), 'utf8');
const scopesOfManifest = () => /^ {4}bot:\n((?: {6}- .*\n)+)/m.exec(manifest)[1].match(/[a-z]+:?[a-z]+/g);

const scopesOf = {
    'chat.postMessage': ['chat:write'],
    'chat.update': ['chat:write'],
    'chat.postEphemeral': ['chat:write'],
    'conversations.open': ['im:write'],
    'files.getUploadURLExternal': ['files:write'],
    'files.completeUploadExternal': ['files:write'],
    'apps.connections.open': ['connections:write'],
};

// A form has everything as text; what is JSON in it is read where it is used.
export function fieldsOf(type, body) {
    if (type.startsWith(jsonType)) return JSON.parse(body);
    const fields = Object.fromEntries(new URLSearchParams(body));
    for (const name of ['blocks', 'view', 'files', 'metadata']) {
        if (fields[name]) fields[name] = JSON.parse(fields[name]);
    }
    return fields;
}

// A file comes as it is, or as the only part of a multipart form.
const fileIn = (type, body) =>
    type.startsWith('multipart/form-data') ? readMultipart(body, type)[0].file.content : body;

export class SlackSimulator {
    // A channel is the id of one where the bot is a member, or {id, name, member, secret, archived}.
    static async start({ port, channels = ['C0OPS'], team = 'T0' } = {}) {
        const simulator = new SlackSimulator({ channels, team });
        const server = http.createServer((request, response) => simulator.#serve(request, response));
        const sockets = new WebSocketServer({ noServer: true });
        server.on('upgrade', (request, socket, head) => simulator.#upgrade(sockets, request, socket, head));
        simulator.#server = await listen(server, port);
        simulator.origin = `http://127.0.0.1:${simulator.#server.port}`;
        simulator.url = `${simulator.origin}/api`;
        return simulator;
    }

    #server;
    #failures = new Failures();
    #clock = 1_763_258_400;
    #count = 0;
    #tickets = new Set();
    #triggers = new Map();
    #uploads = new Map();
    #waiting = new Map(); // envelopes, by id

    constructor({ channels, team }) {
        Object.assign(this, { team, posted: [], views: [], journal: [], sockets: [] });
        this.failed = []; // methods that were refused as ordered, which are not in the journal
        this.left = new Set(); // people whose accounts are deactivated
        const whole = (one) => (typeof one === 'string' ? { id: one, name: 'ops', member: true } : one);
        this.channels = new Map(channels.map(whole).map((one) => [one.id, one]));
        this.scopes = new Set(scopesOfManifest());
        this.appScopes = new Set(['connections:write']);
        this.socketMode = true; // switched on at the app's page
        this.botToken = 'xoxb-1-2-TestTokenOfTheSimulator';
        this.appToken = 'xapp-1-A0-TestTokenOfTheSimulator';
        this.signingSecret = '8f742231b10e8888abcd99yyyzzz85a5';
        keepSecret("Slack's token", this.botToken);
        keepSecret("Slack's app token", this.appToken);
        keepSecret("Slack's signing secret", this.signingSecret);
        this.bot = { user: 'U0BOT', bot: 'B0BOT' };
        this.webhook = null; // where deliveries go; else by socket
    }

    async close() {
        this.sockets.forEach((socket) => socket.terminate());
        await this.#server.close();
    }

    // What people see now: {channel, ts, thread_ts, text, blocks, ephemeral, history}.
    messages({ channel, ephemeral } = {}) {
        return this.posted.filter(
            (m) => (channel ?? m.channel) === m.channel && (ephemeral === undefined || !!m.ephemeral === ephemeral),
        );
    }
    labels(message) {
        return this.#buttons(message).map(({ text }) => text.text);
    }
    // The next calls of this method are refused so.
    fail(method, answer) {
        this.#failures.order({ method, status: 200, ...answer });
    }
    // A member deletes the message.
    remove(message) {
        message.deleted = true;
    }
    // The app is removed from the workspace.
    uninstall() {
        this.gone = 'account_inactive';
    }
    disconnect(reason = 'refresh_requested', at = 0) {
        this.sockets[at].send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'applink-1' } }));
    }

    press({ user, message, label, team = this.team, signed }) {
        const button = this.#buttons(message).find(({ text }) => text.text === label);
        if (!button) throw new Error(`the message has no button "${label}": ${this.labels(message)}`);
        const action = {
            type: 'button',
            action_id: button.action_id,
            block_id: 'b',
            text: button.text,
            value: button.value,
            action_ts: this.#now(),
        };
        return this.#deliver(
            'interactive',
            {
                type: 'block_actions',
                user: { id: user, username: user.toLowerCase(), name: user.toLowerCase(), team_id: team },
                api_app_id: 'A0',
                token: 'deprecated',
                container: {
                    type: 'message',
                    message_ts: message.ts,
                    channel_id: message.channel,
                    is_ephemeral: !!message.ephemeral,
                    ...(message.thread_ts && { thread_ts: message.thread_ts }),
                },
                trigger_id: this.#trigger(),
                team: { id: this.team, domain: 'acme' },
                enterprise: null,
                is_enterprise_install: false,
                channel: { id: message.channel, name: 'ops' },
                message: {
                    type: 'message',
                    bot_id: this.bot.bot,
                    ts: message.ts,
                    text: message.text,
                    blocks: message.blocks,
                },
                state: { values: {} },
                response_url: 'https://hooks.slack.com/actions/T0/1/abc',
                actions: [action],
            },
            { signed },
        );
    }

    submit({ user, view, values = {} }) {
        return this.#deliver(
            'interactive',
            {
                type: 'view_submission',
                team: { id: this.team, domain: 'acme' },
                user: { id: user, username: user.toLowerCase(), name: user.toLowerCase(), team_id: this.team },
                api_app_id: 'A0',
                token: 'deprecated',
                trigger_id: this.#trigger(),
                view: { ...view, state: { values } },
                response_urls: [],
                is_enterprise_install: false,
                enterprise: null,
            },
            { takesPayload: true },
        );
    }

    slash({ user, channel, command, text = '' }) {
        const fields = {
            token: 'deprecated',
            team_id: this.team,
            team_domain: 'acme',
            channel_id: channel,
            channel_name: 'ops',
            user_id: user,
            user_name: user.toLowerCase(),
            command,
            text,
            api_app_id: 'A0',
            is_enterprise_install: 'false',
            response_url: 'https://hooks.slack.com/commands/T0/1/abc',
            trigger_id: this.#trigger(),
        };
        return this.#deliver('slash_commands', fields, { takesPayload: true });
    }

    say({ user, channel, text, thread, ...more }) {
        const ts = this.#now();
        const direct = channel.startsWith('D');
        const scope = direct ? 'im:history' : this.#scopeOf(channel, 'history');
        if (!this.scopes.has(scope)) throw new Error(`the app does not hear that: it has no ${scope}`);
        if (!direct && !this.channels.get(channel).member) throw new Error('the bot is not in that channel');
        return this.#deliver('events_api', {
            token: 'deprecated',
            team_id: this.team,
            api_app_id: 'A0',
            type: 'event_callback',
            event_id: `Ev${++this.#count}`,
            event_time: Math.floor(Date.now() / 1000),
            event: {
                type: 'message',
                channel,
                user,
                text: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
                ts,
                event_ts: ts,
                team: this.team,
                channel_type: direct ? 'im' : 'channel',
                ...(thread && { thread_ts: thread }),
                ...more,
            },
            authorizations: [{ enterprise_id: null, team_id: this.team, user_id: this.bot.user, is_bot: true }],
        });
    }

    #scopeOf(channel, right) {
        return `${this.channels.get(channel)?.secret ? 'groups' : 'channels'}:${right}`;
    }
    #buttons(message) {
        const rows = (message.blocks ?? []).filter(({ type }) => type === 'actions');
        return rows.flatMap(({ elements }) => elements.filter(({ type }) => type === 'button'));
    }
    // Times of the present, and never the same one twice.
    #now() {
        return `${Math.floor(Date.now() / 1000)}.${String(++this.#count).padStart(6, '0')}`;
    }
    #trigger() {
        const id = `1.2.${randomBytes(8).toString('hex')}`;
        this.#triggers.set(id, Date.now());
        return id;
    }

    // Slack delivers the last one again: it did not see the acknowledgement.
    again() {
        return this.#last();
    }
    #last;
    #deliver(type, payload, options = {}) {
        const id = `e-${++this.#count}`;
        this.#last = () => (this.webhook ? this.#post(type, payload, options) : this.#send(id, type, payload, options));
        return this.#last();
    }

    async #post(type, payload, { signed = {} }) {
        const forms = { interactive: () => ({ payload: JSON.stringify(payload) }), slash_commands: () => payload };
        const form = forms[type];
        const body = form ? new URLSearchParams(form()).toString() : JSON.stringify(payload);
        const timestamp = signed.timestamp ?? String(Math.floor(Date.now() / 1000));
        const mac = createHmac('sha256', signed.secret ?? this.signingSecret).update(`v0:${timestamp}:${body}`);
        const began = performance.now();
        const answer = await fetch(this.webhook, {
            method: 'POST',
            headers: {
                'content-type': form ? formType : jsonType,
                'x-slack-request-timestamp': timestamp,
                'x-slack-signature': `v0=${mac.digest('hex')}`,
            },
            body,
        });
        const text = await answer.text();
        const took = performance.now() - began;
        const json = answer.headers.get('content-type')?.startsWith(jsonType) && text;
        return { status: answer.status, body: json ? JSON.parse(text) : text, took };
    }

    // An envelope goes to one connection; the last one that opened takes it.
    #send(id, type, payload, { takesPayload = false }) {
        const open = this.sockets.filter((socket) => socket.readyState === socket.OPEN);
        if (!open.length) return Promise.reject(new Error('no socket is open'));
        const began = performance.now();
        const envelope = { envelope_id: id, type, accepts_response_payload: takesPayload, payload };
        return new Promise((resolve, reject) => {
            const late = setTimeout(() => reject(new Error(`envelope ${id} was not acknowledged`)), triggerMax);
            this.#waiting.set(id, (body) => {
                clearTimeout(late);
                const unwanted = !takesPayload && body && Object.keys(body).length > 0;
                if (unwanted) reject(new Error('a payload where none is taken'));
                resolve({ status: 200, body: body ?? '', took: performance.now() - began });
            });
            open.at(-1).send(JSON.stringify(envelope));
        });
    }

    #upgrade(server, request, socket, head) {
        const ticket = new URL(request.url, this.origin).searchParams.get('ticket');
        if (!this.#tickets.delete(ticket)) {
            socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
            return;
        }
        server.handleUpgrade(request, socket, head, (opened) => {
            this.sockets.push(opened);
            opened.on('close', () => this.sockets.splice(this.sockets.indexOf(opened), 1));
            opened.on('message', (data) => {
                const { envelope_id: id, payload } = JSON.parse(data);
                this.#waiting.get(id)?.(payload);
                this.#waiting.delete(id);
            });
            const hello = {
                type: 'hello',
                num_connections: this.sockets.length,
                debug_info: { host: 'applink-1', build_number: 10, approximate_connection_time: 18060 },
                connection_info: { app_id: 'A0' },
            };
            if (this.socketMode) opened.send(JSON.stringify(hello));
            else opened.send(JSON.stringify({ type: 'disconnect', reason: 'link_disabled', debug_info: {} }));
        });
    }

    async #serve(request, response) {
        const { pathname } = new URL(request.url, this.origin);
        const body = await bytesOf(request);
        let own = {}; // headers of the answer
        const answer = (status, json, headers = {}) => {
            response.writeHead(status, { 'content-type': jsonType, ...own, ...headers });
            response.end(JSON.stringify(json));
        };
        if (pathname.startsWith('/upload/')) {
            const file = this.#uploads.get(pathname.split('/')[2]);
            const content = fileIn(request.headers['content-type'] ?? '', body);
            if (!file || content.length !== file.length) return answer(400, {});
            file.content = content.toString('utf8');
            return answer(200, {});
        }
        const method = pathname.replace(/^\/api\//, '');
        const failure = this.#failures.take(method);
        if (failure) this.failed.push(method);
        if (failure) return answer(failure.status, { ok: false, error: failure.error }, failure.headers);
        try {
            const fields = fieldsOf(request.headers['content-type'] ?? formType, body.toString('utf8'));
            const token = request.headers.authorization?.replace(/^Bearer /, '');
            this.journal.push({ method, fields, token });
            if (!token) throw new ApiError('not_authed');
            if (this.gone) throw new ApiError(this.gone);
            if (token !== this.botToken && token !== this.appToken) throw new ApiError('invalid_auth');
            const handler = methods[method];
            if (!handler) throw new ApiError('unknown_method', method);
            const ofApp = method === 'apps.connections.open';
            const scopes = token === this.appToken ? this.appScopes : this.scopes;
            own = { 'x-oauth-scopes': [...scopes].join(',') };
            if ((token === this.appToken) !== ofApp && method !== 'auth.test') {
                throw new ApiError('not_allowed_token_type');
            }
            this.#needScopes(scopes, scopesOf[method] ?? this.#readScopes(method, fields));
            return answer(200, { ok: true, ...handler(this, fields, this.#inner()) });
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            if (error.detail) this.journal.push({ method, refused: error.message, detail: error.detail });
            const detail = error.detail && { detail: error.detail };
            return answer(200, { ok: false, error: error.message, ...detail, ...error.more });
        }
    }

    #readScopes(method, fields) {
        if (method === 'conversations.info') return [this.#scopeOf(fields.channel, 'read')];
        if (method !== 'users.conversations') return [];
        return fields.types.split(',').map((type) => (type === 'private_channel' ? 'groups:read' : 'channels:read'));
    }
    #needScopes(scopes, needed) {
        const missing = needed.filter((scope) => !scopes.has(scope));
        if (!missing.length) return;
        const more = { needed: missing.join(','), provided: [...scopes].join(',') };
        throw new ApiError('missing_scope', undefined, more);
    }

    // What the methods may use and a test may not.
    #inner() {
        return { now: () => this.#now(), triggers: this.#triggers, tickets: this.#tickets, uploads: this.#uploads };
    }
}

const isDirect = (channel) => channel.startsWith('D');
// Of a private channel the bot knows nothing unless it is a member.
function seenChannel(slack, id) {
    const channel = slack.channels.get(id);
    if (!channel || (channel.secret && !channel.member)) throw new ApiError('channel_not_found', id);
    return channel;
}
function checkChannel(slack, id) {
    if (isDirect(id)) return;
    const channel = seenChannel(slack, id);
    if (!channel.member) throw new ApiError('not_in_channel', id);
    if (channel.archived) throw new ApiError('is_archived', id);
}
const conversation = ({ id, name, member, secret, archived }) => ({
    id,
    name,
    is_channel: true,
    is_private: !!secret,
    is_member: !!member,
    is_archived: !!archived,
});
function checkContent({ text, blocks }) {
    if (!text && !blocks?.length) throw new ApiError('no_text');
    if ([...(text ?? '')].length > 40_000) throw new ApiError('msg_too_long');
    const problem = blocks && problemOfBlocks(blocks);
    if (problem) throw new ApiError('invalid_blocks', problem);
}
function find(slack, channel, ts) {
    const found = slack.posted.find((m) => m.channel === channel && m.ts === ts && !m.ephemeral && !m.deleted);
    if (!found) throw new ApiError('message_not_found');
    return found;
}

const methods = {
    'auth.test': (slack) => ({
        url: 'https://acme.slack.com/',
        team: 'Acme',
        team_id: slack.team,
        user: 'countersign',
        user_id: slack.bot.user,
        bot_id: slack.bot.bot,
        is_enterprise_install: false,
    }),
    'chat.postMessage': (slack, fields, { now }) => {
        checkChannel(slack, fields.channel);
        checkContent(fields);
        if (fields.thread_ts && !slack.posted.some(({ ts, deleted }) => ts === fields.thread_ts && !deleted)) {
            throw new ApiError('thread_not_found');
        }
        if (slack.posted.some(({ ts, thread_ts: thread }) => ts === fields.thread_ts && thread)) {
            throw new ApiError('thread_not_found', 'a thread has one level');
        }
        const { channel, text, blocks = [], thread_ts } = fields;
        const message = { channel, ts: now(), text, blocks, ...(thread_ts && { thread_ts }), history: [] };
        slack.posted.push(message);
        const { ts } = message;
        return { channel, ts, message: { type: 'message', bot_id: slack.bot.bot, ts, text, blocks } };
    },
    'chat.update': (slack, fields) => {
        checkContent(fields);
        const message = find(slack, fields.channel, fields.ts);
        message.history.push({ text: message.text, blocks: message.blocks });
        Object.assign(message, { text: fields.text, blocks: fields.blocks ?? [] });
        return { channel: fields.channel, ts: fields.ts, text: fields.text };
    },
    'chat.postEphemeral': (slack, fields, { now }) => {
        checkChannel(slack, fields.channel);
        checkContent(fields);
        const { channel, user, text, blocks = [] } = fields;
        const message = { channel, ts: now(), text, blocks, ephemeral: user, history: [] };
        slack.posted.push(message);
        return { message_ts: message.ts };
    },
    'views.open': (slack, { trigger_id: trigger, view }, { triggers, now }) => {
        const made = triggers.get(trigger);
        triggers.delete(trigger);
        if (!made) throw new ApiError('exchanged_trigger_id');
        if (Date.now() - made > triggerMax) throw new ApiError('expired_trigger_id');
        const problem = problemOfView(view);
        if (problem) throw new ApiError('invalid_arguments', problem);
        const opened = { ...view, id: `V${now().replace('.', '')}`, hash: now(), team_id: slack.team };
        slack.views.push(opened);
        return { view: opened };
    },
    'conversations.open': (slack, { users }) => {
        if (!/^[UW][A-Z0-9]+$/.test(users)) throw new ApiError('user_not_found');
        if (slack.left.has(users)) throw new ApiError('user_disabled');
        return { channel: { id: `D${users}` } };
    },
    'conversations.info': (slack, { channel }) => ({ channel: conversation(seenChannel(slack, channel)) }),
    'users.conversations': (slack, { types, limit, exclude_archived: excluded }) => {
        if (!types || !(Number(limit) > 0 && Number(limit) < 1000)) throw new ApiError('invalid_arguments');
        const kinds = types.split(',');
        const isWanted = ({ secret }) => kinds.includes(secret ? 'private_channel' : 'public_channel');
        const fits = (one) => one.member && isWanted(one) && !(one.archived && excluded === 'true');
        const found = [...slack.channels.values()].filter(fits).map(conversation);
        return { channels: found.slice(0, Number(limit)), response_metadata: { next_cursor: '' } };
    },
    'files.getUploadURLExternal': (slack, { filename, length }, { uploads, now }) => {
        if (!filename || !(Number(length) > 0)) throw new ApiError('invalid_arguments');
        const id = `F${now().replace('.', '')}`;
        uploads.set(id, { filename, length: Number(length) });
        return { upload_url: `${slack.origin}/upload/${id}`, file_id: id };
    },
    'files.completeUploadExternal': (slack, fields, { uploads, now }) => {
        checkChannel(slack, fields.channel_id);
        const files = fields.files.map(({ id, title }) => {
            const file = uploads.get(id);
            if (file?.content === undefined) throw new ApiError('file_not_found');
            const { channel_id: channel, initial_comment: text, thread_ts } = fields;
            const shared = { title, ...file };
            slack.posted.push({ channel, ts: now(), text, thread_ts, blocks: [], file: shared, history: [] });
            return { id, title };
        });
        return { files };
    },
    'apps.connections.open': (slack, fields, { tickets }) => {
        const ticket = randomBytes(8).toString('hex');
        tickets.add(ticket);
        return { url: `${slack.origin.replace('http', 'ws')}/link/?ticket=${ticket}&app_id=A0` };
    },
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const at = process.argv.indexOf('--port');
    const simulator = await SlackSimulator.start({ port: at < 0 ? undefined : Number(process.argv[at + 1]) });
    const { url, botToken, appToken, signingSecret } = simulator;
    console.log(JSON.stringify({ url, botToken, appToken, signingSecret }));
}
