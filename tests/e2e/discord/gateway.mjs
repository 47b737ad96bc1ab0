// SPDX-License-Identifier: Apache-2.0
// The gateway: sessions that outlive their connections, and the rules an app must keep on one.
//
// A session that lost its connection collects events, and a resume plays them again. It ends when the app closes with
// 1000 or 1001, or by invalidate(); here it never times out.
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { WebSocketServer } from 'ws';
import { checkOwn, problemOf } from '../discord_schema.mjs';
import { listen } from '../loopback.mjs';
import { keepSecret } from '../secrets.mjs';
import { channelType } from './world.mjs';

const op = {
    dispatch: 0,
    heartbeat: 1,
    identify: 2,
    presence: 3,
    voice: 4,
    resume: 6,
    reconnect: 7,
    members: 8,
    invalid: 9,
    hello: 10,
    ack: 11,
};
const close = {
    unknownOpcode: 4001,
    decode: 4002,
    notAuthenticated: 4003,
    authentication: 4004,
    already: 4005,
    sequence: 4007,
    tooMany: 4008,
    timedOut: 4009,
    shard: 4010,
    version: 4012,
    intents: 4013,
    disallowed: 4014,
};
export const intent = { guilds: 1, messages: 1 << 9, directMessages: 1 << 12, content: 1 << 15 };
const knownIntents = (1 << 26) - 1;
const privileged = [1 << 1, 1 << 8, intent.content];
const payloadBytesMax = 4096;
const sendsMax = 120;
const sendWindow = 60_000;

export class Gateway {
    #servers = [];
    #links = new Set(); // {socket, session, sent, resuming}
    #lastIdentify = -Infinity;

    // heartbeat: milliseconds between two. identifyEvery: the time that must pass between two identifies.
    constructor(simulator, { heartbeat = 45_000, identifyEvery = 5_000 } = {}) {
        Object.assign(this, { simulator, heartbeat, identifyEvery });
        this.world = simulator.world;
        this.sessions = new Map();
        this.frames = []; // what apps sent, without their token
        this.starts = { total: 1000, remaining: 1000, reset_after: 14_400_000, max_concurrency: 1 };
        this.acking = true;
    }

    async start() {
        this.url = await this.#listen(false);
        this.resumeUrl = await this.#listen(true);
    }
    async #listen(resuming) {
        const server = http.createServer((request, response) => response.writeHead(426).end());
        const sockets = new WebSocketServer({ noServer: true });
        server.on('upgrade', (request, socket, head) => {
            sockets.handleUpgrade(request, socket, head, (opened) => this.#open(opened, request, resuming));
        });
        const listening = await listen(server);
        this.#servers.push(listening);
        return `ws://127.0.0.1:${listening.port}`;
    }
    async close() {
        this.sever();
        await Promise.all(this.#servers.map((server) => server.close()));
    }

    // Connections that are open and belong to a session.
    get connected() {
        return [...this.#links].filter(({ session, socket }) => session && socket.readyState === socket.OPEN);
    }
    info() {
        const answer = { url: this.url, shards: 1, session_start_limit: this.starts };
        checkOwn('Gateway', answer);
        return answer;
    }

    // An event for every session that asked for it; connected or not.
    dispatch(event, data, needs = 0) {
        for (const session of this.sessions.values()) {
            if (needs && !(session.intents & needs)) continue;
            this.#append(session, event, typeof data === 'function' ? data(session) : data);
        }
    }

    // MESSAGE_CREATE, for sessions with the intent; the words only for those that may read them. Whether any got it.
    announce(message, { mention = false } = {}) {
        const { world } = this;
        const channel = world.channel(message.channel);
        const direct = channel.type === channelType.direct;
        const readable = direct || mention || message.author === world.bot.id;
        const needs = direct ? intent.directMessages : intent.messages;
        const mentions = mention ? [world.userObject(world.bot)] : [];
        const { permissions, user, ...member } = world.memberObject({ id: message.author });
        const whole = {
            ...world.messageObject(message),
            mentions,
            ...(!direct && { guild_id: channel.guild, member }),
        };
        checkOwn('MessageCreate', whole);
        const hidden = { ...whole, content: '', embeds: [], components: [], attachments: [] };
        this.dispatch(
            'MESSAGE_CREATE',
            ({ intents }) => (readable || intents & intent.content ? whole : hidden),
            needs,
        );
        return [...this.sessions.values()].some(({ intents }) => intents & needs);
    }

    // What Discord does to apps. Each is for all connections.
    reconnect() {
        this.#send({ op: op.reconnect, d: null });
    }
    requestHeartbeat() {
        this.#send({ op: op.heartbeat, d: null });
    }
    // The connections stay, without a session: an app may identify or resume on them.
    invalidate({ resumable = false } = {}) {
        if (!resumable) this.sessions.clear();
        for (const link of this.#links) {
            if (link.session) link.session.link = null;
            Object.assign(link, { session: null, resuming: resumable });
        }
        this.#send({ op: op.invalid, d: resumable });
    }
    disconnect(code = 4000) {
        for (const link of this.#links) this.#end(link, code);
    }
    // The network is gone: no close frame.
    sever() {
        for (const { socket } of this.#links) socket.terminate();
    }

    #send(payload) {
        for (const { socket } of this.#links) socket.send(JSON.stringify({ s: null, t: null, ...payload }));
    }

    #append(session, t, d) {
        const payload = { op: op.dispatch, s: ++session.seq, t, d };
        session.events.push(payload);
        session.link?.socket.send(JSON.stringify(payload));
    }

    #open(socket, request, resuming) {
        const link = { socket, session: null, sent: [], resuming };
        this.#links.add(link);
        socket.on('error', () => {});
        socket.on('close', (code) => this.#closed(link, code));
        socket.on('message', (data) => this.#received(link, data));
        const query = new URL(request.url, 'http://127.0.0.1').searchParams;
        if (query.get('v') !== '10') return this.#end(link, close.version);
        if (query.get('encoding') !== 'json' || query.has('compress')) return this.#end(link, close.decode);
        this.#expectHeartbeat(link);
        socket.send(JSON.stringify({ op: op.hello, s: null, t: null, d: { heartbeat_interval: this.heartbeat } }));
    }

    #closed(link, code) {
        clearTimeout(link.overdue);
        this.#links.delete(link);
        const { session } = link;
        if (session?.link === link) session.link = null;
        if (session && [1000, 1001].includes(code) && !link.ended) this.sessions.delete(session.id);
    }

    #end(link, code) {
        link.ended = true;
        if (link.session && endsSession(code)) this.sessions.delete(link.session.id);
        link.socket.close(code);
    }

    // An app that is silent for half an interval too long has lost its connection.
    #expectHeartbeat(link) {
        clearTimeout(link.overdue);
        link.overdue = setTimeout(() => link.socket.terminate(), this.heartbeat * 1.5);
        link.overdue.unref();
    }

    #received(link, data) {
        if (link.ended) return;
        const now = Date.now();
        link.sent = [...link.sent.filter((at) => now - at < sendWindow), now];
        if (link.sent.length > sendsMax) return this.#end(link, close.tooMany);
        if (data.length > payloadBytesMax) return this.#end(link, close.decode);
        let payload;
        try {
            payload = JSON.parse(data);
        } catch {
            return this.#end(link, close.decode);
        }
        const { token, ...shown } = payload?.d ?? {};
        this.frames.push({ op: payload?.op, d: payload?.op === op.heartbeat ? payload.d : shown });
        this.#handle(link, payload);
    }

    #handle(link, payload) {
        const { d } = payload ?? {};
        if (payload?.op === op.heartbeat) return this.#beat(link, d);
        if (payload?.op === op.identify) return this.#identify(link, d);
        if (payload?.op === op.resume) return this.#resume(link, d);
        if (![op.presence, op.voice, op.members].includes(payload?.op)) return this.#end(link, close.unknownOpcode);
        if (!link.session) this.#end(link, close.notAuthenticated);
    }

    #beat(link, seq) {
        const most = link.session?.seq ?? 0;
        if (seq !== null && !(Number.isInteger(seq) && seq >= 0 && seq <= most)) return this.#end(link, close.decode);
        this.#expectHeartbeat(link);
        if (this.acking) link.socket.send(JSON.stringify({ op: op.ack, s: null, t: null, d: null }));
    }

    #identify(link, d) {
        const wrong = this.#problemOfIdentify(link, d);
        if (wrong) return this.#end(link, wrong);
        const now = Date.now();
        const tooSoon = now - this.#lastIdentify < this.identifyEvery;
        this.#lastIdentify = now;
        if (tooSoon) return link.socket.send(JSON.stringify({ op: op.invalid, s: null, t: null, d: false }));
        this.starts.remaining -= 1;
        if (this.starts.remaining < 0) return this.resetToken();
        const id = randomBytes(16).toString('hex');
        link.session = { id, intents: d.intents, seq: 0, events: [], link };
        this.sessions.set(id, link.session);
        this.#greet(link.session, d.shard);
    }

    #problemOfIdentify(link, d) {
        if (link.session) return close.already;
        if (d?.token !== this.simulator.botToken) return close.authentication;
        if (!Number.isInteger(d.intents) || d.intents < 0 || d.intents & ~knownIntents) return close.intents;
        const wrong = problemOf('Identify', d);
        if (wrong) this.simulator.journal.push({ route: 'gateway', refused: wrong.message });
        if (wrong) return close.decode;
        if (d.shard && !(d.shard[0] === 0 && d.shard[1] === 1)) return close.shard;
        if (privileged.some((bit) => d.intents & bit && !(this.simulator.privileged & bit))) return close.disallowed;
        return null;
    }

    // Too many identifies cost the app its token.
    resetToken() {
        this.simulator.botToken = randomBytes(24).toString('base64url');
        keepSecret("Discord's new token", this.simulator.botToken);
        this.disconnect(close.authentication);
    }

    #greet(session, shard) {
        const { world } = this;
        const user = { ...world.userObject(world.bot), bot: true };
        const ready = {
            ...{ v: 10, user, guilds: [{ id: world.guild.id, unavailable: true }], session_id: session.id },
            ...{ resume_gateway_url: this.resumeUrl, ...(shard && { shard }) },
            application: {
                id: world.application,
                flags: this.simulator.flags,
                flags_new: String(this.simulator.flags),
            },
        };
        checkOwn('Ready', ready);
        this.#append(session, 'READY', ready);
        if (session.intents & intent.guilds) this.#append(session, 'GUILD_CREATE', this.#guild());
    }
    #guild() {
        const { world } = this;
        const channels = [...world.channels.values()].filter(({ type }) => type === channelType.text);
        const members = [world.memberObject(world.bot)];
        const none = { threads: [], emojis: [], stickers: [], voice_states: [], presences: [], stage_instances: [] };
        const lists = { channels: channels.map((one) => world.channelObject(one)), members };
        const counts = { member_count: 1 + world.users.size, large: false, unavailable: false };
        return { ...world.guildObject(), ...lists, ...none, ...counts, joined_at: new Date().toISOString() };
    }

    #resume(link, d) {
        if (link.session) return this.#end(link, close.already);
        if (problemOf('Resume', d)) return this.#end(link, close.decode);
        if (d.token !== this.simulator.botToken) return this.#end(link, close.authentication);
        const session = this.sessions.get(d.session_id);
        // Also on another address than READY named.
        if (!session || !link.resuming) {
            return link.socket.send(JSON.stringify({ op: op.invalid, s: null, t: null, d: false }));
        }
        if (d.seq > session.seq) {
            this.sessions.delete(session.id);
            return this.#end(link, close.sequence);
        }
        session.link?.socket.close(4000);
        link.session = session;
        session.link = link;
        for (const event of session.events.filter(({ s }) => s > d.seq)) link.socket.send(JSON.stringify(event));
        link.socket.send(JSON.stringify({ op: op.dispatch, s: ++session.seq, t: 'RESUMED', d: {} }));
    }
}

// After the other codes an app may resume.
const endsSession = (code) => [close.authentication, close.sequence, close.timedOut].includes(code) || code >= 4010;
