// SPDX-License-Identifier: Apache-2.0
// A strict stand-in for Discord on loopback: REST API version 10, the gateway, and interactions by HTTP.
//
// An app talks to `url` as it would to https://discord.com/api/v10; a test looks at `messages()`, acts as people with
// `press()`, `choose()`, `submit()`, `slash()` and `say()`, and orders failures with `fail()`. The first four resolve
// with the acknowledgement: its body, and how long it took. It is strict where a lenient one would hide a fault: bodies
// must fit Discord's own types and lengths, an interaction is answered once and within 3 seconds, and buckets run dry.
//
//   node discord_simulator.mjs [--port N]     prints one JSON line with the address and the secrets
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import * as refusal from './discord/api_error.mjs';
import { readBody } from './discord/bodies.mjs';
import { Deliveries } from './discord/deliveries.mjs';
import { Gateway, intent } from './discord/gateway.mjs';
import { Interactions } from './discord/interactions.mjs';
import { component } from './discord/limits.mjs';
import { shown } from './discord/markdown.mjs';
import { People } from './discord/people.mjs';
import { RateLimits } from './discord/rate_limits.mjs';
import { findRoute, routes } from './discord/routes.mjs';
import { World, buttons, controls } from './discord/world.mjs';
import { Failures } from './failures.mjs';
import { bytesOf, listen } from './loopback.mjs';
import { keepSecret } from './secrets.mjs';

const basePath = '/api/v10';
const bodyBytesMax = 10 << 20;
const userAgent = /^DiscordBot \(https?:\/\/[^,\s]+, [^)\s]+\)/;
const failureKinds = ['limit', 'cloudflare', 'error', 'server', 'drop', 'cut', 'hang'];
// A privileged intent, and the flag of an app for which it is switched on.
const applicationFlags = [
    [1 << 1, 1 << 15],
    [1 << 8, 1 << 13],
    [intent.content, 1 << 19],
];
const html = { 'content-type': 'text/html; charset=UTF-8' };
const json = { 'content-type': 'application/json' };

export class DiscordSimulator {
    // privileged: the bits of the privileged intents that are switched on for the app.
    static async start({ port, channels = ['345626669114982999'], privileged = 0, ...gateway } = {}) {
        const simulator = new DiscordSimulator({ channels, privileged, gateway });
        await simulator.gateway.start();
        simulator.#server = await listen(
            http.createServer((request, response) => simulator.#serve(request, response)),
            port,
        );
        simulator.origin = `http://127.0.0.1:${simulator.#server.port}`;
        simulator.url = `${simulator.origin}${basePath}`;
        return simulator;
    }

    #server;
    #failures = new Failures();
    #interactions;
    #deliveries;
    #people;

    constructor({ channels, privileged, gateway }) {
        const ids = { guild: '290926798626357999', application: '290926444748734465', bot: '290926444748734499' };
        Object.assign(this, { ...ids, privileged, journal: [] });
        this.botToken = 'MjkwOTI2NDQ0NzQ4NzM0NDY1.Test-1.TokenOfTheSimulator';
        keepSecret("Discord's token", this.botToken);
        this.world = new World({ ...ids, channels });
        this.rates = new RateLimits(this.world);
        this.gateway = new Gateway(this, gateway);
        this.#interactions = new Interactions(this.world);
        this.#deliveries = new Deliveries({ ...this, interactions: this.#interactions });
        const deliver = (...act) => this.#deliveries.deliver(...act);
        this.#people = new People(this.world, this.gateway, { deliver });
    }

    async close() {
        await Promise.all([this.gateway.close(), this.#server.close()]);
    }

    // Where interactions go, without a check; null: over the gateway.
    get webhook() {
        return this.#deliveries.webhook;
    }
    set webhook(url) {
        this.#deliveries.webhook = url;
    }
    get publicKey() {
        return this.#deliveries.publicKey;
    }
    get flags() {
        const switched = applicationFlags.filter(([bit]) => this.privileged & bit);
        return switched.reduce((sum, [, flag]) => sum | flag, 0);
    }
    // Windows that the app opened: {custom_id, title, components, user, message}.
    get modals() {
        return this.#interactions.modals;
    }

    // What people see now of the app: {id, channel, content, embeds, components, flags, files, ephemeral, reply_to,
    // history}.
    messages({ channel, ephemeral } = {}) {
        return this.world.messages.filter(
            (m) =>
                m.author === this.bot &&
                !m.deleted &&
                (channel ?? m.channel) === m.channel &&
                (ephemeral === undefined || !!m.ephemeral === ephemeral),
        );
    }
    labels(message) {
        return buttons(message).map(({ label }) => label);
    }
    // All that can be read in a message, whichever fields it is in.
    text({ content, embeds, components }) {
        const ofEmbeds = embeds.flatMap(({ title, description, fields = [], footer }) => [
            ...[title, description, ...fields.flatMap(({ name, value }) => [name, value]), footer?.text],
        ]);
        const ofComponents = controls({ components }).filter(({ type }) => type === component.text);
        return [content, ...ofEmbeds, ...ofComponents.map((one) => one.content)].filter(Boolean).join('\n');
    }

    // The same as a person reads it, without what styles it.
    readable(message) {
        return shown(this.text(message));
    }
    // The lists of choices in a message: {custom_id, options, min_values, max_values}.
    lists(message) {
        return controls(message).filter(({ type }) => type === component.stringSelect);
    }

    // Each of the four takes two more: age, if it was done so many milliseconds ago, and signed, how the delivery by
    // HTTP is signed if not properly: {key, timestamp, signature, alter}.
    press({ user, message, label, ...how }) {
        return this.#people.press({ user, message, label, ...how });
    }
    // labels: of options that one list of the message has.
    choose({ user, message, labels, ...how }) {
        return this.#people.choose({ user, message, labels, ...how });
    }
    // values: by custom id. user: who opened the window, unless it says another.
    submit({ user, modal, values, ...how }) {
        return this.#people.submit({ user, modal, values, ...how });
    }
    // command: as it is typed, without the slash: 'deny', or 'countersign deny' for a command within one.
    slash({ user, channel, command, options, ...how }) {
        return this.#people.slash({ user, channel, command, options, ...how });
    }
    // Resolves with the message, and whether a session of the gateway got it.
    say({ user, channel, text, reply, mention }) {
        return this.#people.say({ user, channel, text, reply, mention });
    }
    // The same interaction once more, with the same id and token.
    redeliver(interaction, how) {
        return this.#deliveries.redeliver(interaction, how);
    }
    ping(how) {
        return this.#deliveries.ping(how);
    }
    // What Discord does before it takes an address: a PING must be answered, and one with a bad signature refused.
    verify(url = this.webhook) {
        return this.#deliveries.verify(url);
    }

    calls(route) {
        return this.journal.filter((entry) => entry.route === route);
    }

    addUser(user) {
        return this.world.addUser(user);
    }
    deny(channel, ...names) {
        this.world.deny(channel, ...names);
    }
    // A moderator removes it.
    remove(message) {
        message.deleted = true;
    }
    // The bot is removed from the server: it sees none of its channels any more.
    kick() {
        for (const { id, type } of this.world.channels.values()) if (type === 0) this.world.deny(id, 'VIEW_CHANNEL');
    }
    // The owner resets the token on the app's page: the old one is refused everywhere.
    resetToken() {
        this.gateway.resetToken();
    }
    archive(thread) {
        this.world.channel(thread).archived = true;
    }
    advance(seconds) {
        this.world.shift += seconds * 1000;
    }

    // The next calls of this route, or of all with '*', fail so:
    //   {kind: 'limit', retryAfter, scope = 'user'}   429: the bucket is empty for so long; or 'shared', or 'global'
    //   {kind: 'cloudflare', retryAfter}              429 of all routes, as HTML
    //   {kind: 'error', status, code, message}        any refusal
    //   {kind: 'server', status = 502}                what a broken front server says: not JSON
    //   {kind: 'drop'}                                the connection ends, the call did not run
    //   {kind: 'cut'}                                 the call ran, the connection ends without an answer
    //   {kind: 'hang'}                                no answer at all until the simulator closes
    fail(route, failure) {
        if (route !== '*' && !routes.some(({ name }) => name === route)) throw new Error(`no route "${route}"`);
        if (!failureKinds.includes(failure.kind)) {
            throw new Error(`no failure of kind "${failure.kind}"; there are: ${failureKinds.join(', ')}`);
        }
        this.#failures.order({ method: route, ...failure });
    }

    async #serve(request, response) {
        const { pathname, searchParams: query } = new URL(request.url, this.origin);
        const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : '';
        const call = { request, query, ...findRoute(request.method, path) };
        const { route, params } = call;
        const { authorization } = request.headers;
        const entry = { method: request.method, path: pathname, route: route?.name ?? null, params, authorization };
        this.journal.push(entry);
        const raw = await bytesOf(request, bodyBytesMax);
        const failure = this.#failures.take(route?.name);
        if (failure?.kind === 'hang') return;
        if (failure?.kind === 'drop') return void request.socket.destroy();
        const answer = await this.#answer({ ...call, failure, raw, entry });
        entry.status = answer.status;
        if (failure?.kind === 'cut') return void request.socket.destroy();
        const { status, headers = {}, text = '' } = answer;
        const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(text) };
        response.writeHead(status, { ...headers, ...length }).end(text);
    }

    // {status, headers, text}
    async #answer({ request, route, params, major, query, failure, raw, entry }) {
        let headers = {};
        try {
            if (failure?.kind === 'server') {
                return { status: failure.status ?? 502, headers: html, text: '<h1>Bad Gateway</h1>' };
            }
            this.#refuseIfOrdered(failure, route, major);
            this.#checkCaller(request, route);
            headers = this.rates.take(route.name, major, route);
            const { body, files } = readBody(request, raw);
            Object.assign(entry, { body, files });
            const { world, gateway } = this;
            const context = { simulator: this, world, gateway, interactions: this.#interactions };
            const { status, body: told } = await route.run(context, params, { body, files, query });
            if (told === undefined) return { status, headers };
            return { status, headers: { ...headers, ...json }, text: JSON.stringify(told) };
        } catch (error) {
            if (!(error instanceof refusal.ApiError)) throw error;
            entry.refused = error.words();
            const { status } = error;
            this.rates.countInvalid(status, error.headers['x-ratelimit-scope']);
            const text = error.html ?? JSON.stringify(error.body());
            return { status, headers: { ...headers, ...error.headers, ...(error.html ? html : json) }, text };
        }
    }

    #refuseIfOrdered(failure, route, major) {
        if (failure?.kind === 'limit') this.rates.exhaust(route?.name, major, failure);
        if (failure?.kind === 'cloudflare') this.rates.blockByCloudflare(failure.retryAfter);
        if (failure?.kind !== 'error') return;
        const { status = 400, code = 0, message = 'ordered by the test' } = failure;
        throw new refusal.ApiError(status, code, message);
    }

    #checkCaller(request, route) {
        if (!userAgent.test(request.headers['user-agent'] ?? '')) throw refusal.badUserAgent();
        if (!route) throw refusal.notFound();
        const { authorization } = request.headers;
        if (route.credential && authorization !== `Bot ${this.botToken}`) throw refusal.unauthorized();
        if (!route.credential && route.outside && authorization !== undefined) {
            throw refusal.strict('this route takes no Authorization');
        }
    }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const at = process.argv.indexOf('--port');
    const simulator = await DiscordSimulator.start({ port: at < 0 ? undefined : Number(process.argv[at + 1]) });
    const { url, botToken, publicKey, application, world } = simulator;
    console.log(JSON.stringify({ url, botToken, publicKey, application, channels: [...world.channels.keys()] }));
}
