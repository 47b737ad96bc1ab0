// SPDX-License-Identifier: Apache-2.0
// The simulator is proved with the vendors' own packages before it is used: the real discord.js client connects to it
// and answers, @discordjs/rest is understood, and discord-interactions accepts what it signs.
import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import { REST } from '@discordjs/rest';
import { InteractionType, verifyKey } from 'discord-interactions';
import { ActionRowBuilder, Client, Events, ModalBuilder, TextInputBuilder } from 'discord.js';
import { WebSocket } from 'ws';
import { DiscordSimulator } from './discord_simulator.mjs';
import { bytesOf, listen } from './loopback.mjs';
import { until } from './until.mjs';

const ops = '345626669114982999';
const alice = '53908232506183680';
const bob = '53908232506183681';
const row = (...buttons) => ({ type: 1, components: buttons });
const allow = { type: 2, style: 3, label: 'Allow', custom_id: 'a' };
const deny = { type: 2, style: 4, label: 'Deny', custom_id: 'd' };
const card = { content: 'Deploy?', allowed_mentions: { parse: [] }, components: [row(allow, deny)] };
const card2 = {
    flags: 32768,
    components: [{ type: 17, components: [{ type: 10, content: '## Deploy?' }, { type: 14 }, row(allow, deny)] }],
};
const messagesOf = (channel) => `/channels/${channel}/messages`;

async function open(t, options) {
    const discord = await DiscordSimulator.start({ identifyEvery: 0, ...options });
    t.after(() => discord.close());
    const rest = new REST({ api: `${discord.origin}/api`, version: '10', retries: 0, rejectOnRateLimit: () => true });
    return { discord, rest: rest.setToken(discord.botToken) };
}

// The real client, as an app would write it: 'a' updates the card, 'd' opens a window.
async function connect(t, discord, intents = 1 | 512 | 4096) {
    const client = new Client({ intents, rest: { api: `${discord.origin}/api` } });
    t.after(() => client.destroy());
    const seen = [];
    client.on(Events.InteractionCreate, async (interaction) => {
        seen.push([interaction.type, interaction.user.id, interaction.customId ?? interaction.commandName]);
        if (interaction.isModalSubmit()) {
            return interaction.update({ content: interaction.fields.getTextInputValue('reason'), components: [] });
        }
        if (interaction.isStringSelectMenu()) return interaction.deferUpdate();
        if (interaction.isChatInputCommand()) {
            const words = interaction.options.getString('id');
            return interaction.reply({ content: `got ${words}`, flags: 64 });
        }
        if (interaction.customId === 'a') return interaction.update({ content: 'Allowed', components: [] });
        const input = new TextInputBuilder({ custom_id: 'reason', label: 'Reason', style: 1, max_length: 10 });
        const modal = new ModalBuilder({ custom_id: 'why', title: 'Deny' });
        return interaction.showModal(modal.addComponents(new ActionRowBuilder().addComponents(input)));
    });
    client.on(Events.MessageCreate, ({ author, content }) => seen.push(['message', author.id, content]));
    const ready = new Promise((resolve) => {
        client.once(Events.ClientReady, resolve);
    });
    await client.login(discord.botToken);
    await ready;
    return { client, seen };
}

const commands = [
    { name: 'deny', description: 'Deny', options: [{ name: 'id', description: 'Which', type: 3, required: true }] },
];

test('the real discord.js client connects, and answers clicks, windows, lists and commands', async (t) => {
    const { discord, rest } = await open(t);
    const { client, seen } = await connect(t, discord);
    const channel = await client.channels.fetch(ops);
    const sent = await channel.send(card);
    const [message] = discord.messages({ channel: ops });
    assert.equal(message.id, sent.id);

    const opened = await discord.press({ user: alice, message, label: 'Deny' });
    assert.equal(opened.body.type, 9);
    const [modal] = discord.modals;
    assert.throws(() => discord.submit({ modal, values: { reason: 'longer than ten' } }), /takes 0 to 10 characters/);
    const closed = await discord.submit({ modal, values: { reason: 'Friday' } });
    assert.equal(closed.body.type, 7);
    assert.equal(message.content, 'Friday');
    assert.deepEqual(discord.labels(message), []);
    assert.equal(message.history.length, 1);

    const option = (label) => ({ label, value: label.toLowerCase() });
    const select = { type: 3, custom_id: 's', options: [option('S'), option('L')], max_values: 2 };
    await rest.post(messagesOf(ops), { body: { content: 'Which?', components: [row(select)] } });
    const list = discord.messages({ channel: ops })[1];
    assert.equal((await discord.choose({ user: alice, message: list, labels: ['S', 'L'] })).body.type, 6);

    await rest.put(`/applications/${discord.application}/commands`, { body: commands });
    const route = `/applications/${discord.application}/commands`;
    await rest.post(route, { body: { name: 'pending', description: 'List', contexts: [0, 1] } });
    await rest.post(route, { body: commands[0] });
    assert.deepEqual(
        (await rest.get(route)).map(({ name }) => name),
        ['pending', 'deny'],
    );
    const misnamed = { name: 'Deny', description: '' };
    await refused(rest.post(route, { body: misnamed }), 400, 50035, /INVALID_NAME[^]*BASE_TYPE_BAD_LENGTH/);
    await assert.rejects(async () => discord.slash({ user: bob, channel: ops, command: 'deny' }), /needs "id"/);
    const slashed = await discord.slash({ user: bob, channel: ops, command: 'deny', options: { id: 'K7' } });
    assert.equal(slashed.body.data.content, 'got K7');
    assert.equal(discord.messages({ ephemeral: true })[0].ephemeral, bob);
    assert.ok(slashed.took < 3000);

    await discord.say({ user: bob, channel: ops, text: 'hidden' });
    await discord.say({ user: bob, channel: ops, text: 'shown', mention: true });
    await until('all of it', () => seen.filter(([kind, who]) => kind === 'message' && who === bob).length === 2);
    assert.deepEqual(
        seen.filter(([, who]) => who !== discord.bot),
        [
            [3, alice, 'd'],
            [5, alice, 'why'],
            [3, alice, 's'],
            [2, bob, 'deny'],
            ['message', bob, ''],
            ['message', bob, `<@${discord.bot}> shown`],
        ],
    );
    const { d: identify } = discord.gateway.frames.find(({ op }) => op === 2);
    assert.equal(identify.intents, 1 | 512 | 4096);
    assert.equal(identify.token, undefined);
});

test('the real discord.js client resumes and gets what it missed, or starts again', async (t) => {
    const { discord, rest } = await open(t);
    await connect(t, discord, 0);
    await rest.post(messagesOf(ops), { body: card });
    const [message] = discord.messages();
    discord.gateway.sever();
    const pressed = discord.press({ user: alice, message, label: 'Allow' });
    assert.equal((await pressed).body.type, 7);
    assert.equal(discord.gateway.frames.filter(({ op }) => op === 6).length, 1);
    const connected = (count, op) => async () => {
        const sent = discord.gateway.frames.filter((frame) => frame.op === op).length;
        return sent === count && discord.gateway.connected.length === 1;
    };
    discord.gateway.reconnect();
    await until('a second resume', connected(2, 6));
    discord.gateway.disconnect(4000);
    await until('a third resume', connected(3, 6));
    discord.gateway.invalidate({ resumable: true });
    await until('a fourth resume', connected(4, 6));
    discord.gateway.requestHeartbeat();
    await until('a heartbeat', () => discord.gateway.frames.some(({ op }) => op === 1));
    assert.equal(discord.gateway.starts.remaining, 999);
    discord.gateway.invalidate();
    await until('another identify', connected(2, 2), { within: 15_000 });
    assert.equal(discord.gateway.starts.remaining, 998);
});

test('the real discord.js client is turned away with a wrong token or an intent that is not switched on', async (t) => {
    const { discord } = await open(t);
    const content = new Client({ intents: 1 << 15, rest: { api: `${discord.origin}/api` } });
    t.after(() => content.destroy());
    await assert.rejects(content.login(discord.botToken), /disallowed intents/);
    const other = new Client({ intents: 0, rest: { api: `${discord.origin}/api` } });
    t.after(() => other.destroy());
    await assert.rejects(other.login(discord.botToken.replace('Test', 'Tost')), /invalid token/);
});

test('the real discord.js client leaves a connection whose heartbeats are not answered, and resumes', async (t) => {
    const { discord } = await open(t, { heartbeat: 300 });
    await connect(t, discord, 0);
    const first = discord.gateway.connected[0];
    discord.gateway.acking = false;
    await until('it to leave', () => !discord.gateway.connected.includes(first));
    discord.gateway.acking = true;
    await until('a resume', () => discord.gateway.connected.length === 1);
    assert.ok(discord.gateway.frames.some(({ op }) => op === 6));
});

// A client that keeps no rule: it says what it is told to.
async function openSocket(t, url, query = 'v=10&encoding=json') {
    const socket = new WebSocket(`${url}/?${query}`);
    t.after(() => socket.terminate());
    const got = [];
    socket.on('message', (data) => got.push(JSON.parse(data)));
    let code = null;
    socket.on('close', (closed) => {
        code = closed;
    });
    socket.on('error', () => {});
    return {
        socket,
        got,
        say: (op, d) => socket.send(typeof op === 'string' ? op : JSON.stringify({ op, d })),
        event: (name) => until(name, () => got.find(({ op, t: type }) => type === name || op === name)),
        closed: () => until('the end', () => code),
    };
}
const properties = { os: 'linux', browser: 'x', device: 'x' };
const identify = ({ botToken: token }, more) => [2, { token, intents: 0, properties, ...more }];

// name, the code, what is sent after the hello of the gateway and, if it is to be, after READY
const faults = [
    ['another version', 4012, { query: 'v=9&encoding=json' }],
    ['another encoding', 4002, { query: 'v=10&encoding=etf' }],
    ['what is no JSON', 4002, { sends: () => [['{']] }],
    ['a payload of 4097 bytes', 4002, { sends: () => [[`{"op":1,"d":null}${' '.repeat(4080)}`]] }],
    ['an opcode that is not one', 4001, { sends: () => [[77, {}]] }],
    ['a presence before it identified', 4003, { sends: () => [[3, {}]] }],
    ['another token', 4004, { sends: (discord) => [identify(discord, { token: 'x' })] }],
    ['an identify twice', 4005, { ready: true, sends: (discord) => [identify(discord)] }],
    ['an identify without properties', 4002, { sends: (d) => [identify(d, { properties: undefined })] }],
    ['a second shard', 4010, { sends: (discord) => [identify(discord, { shard: [1, 2] })] }],
    ['an intent that is not one', 4013, { sends: (discord) => [identify(discord, { intents: 1 << 30 })] }],
    ['an intent that is not switched on', 4014, { sends: (discord) => [identify(discord, { intents: 1 << 15 })] }],
    ['a heartbeat with a number that never was', 4002, { ready: true, sends: () => [[1, 99]] }],
    ['121 payloads', 4008, { ready: true, sends: () => Array.from({ length: 120 }, () => [1, null]) }],
];
for (const [name, code, { query, ready = false, sends = () => [] }] of faults) {
    test(`the gateway ends a connection after ${name}: ${code}`, async (t) => {
        const { discord } = await open(t);
        const { say, event, closed } = await openSocket(t, discord.gateway.url, query);
        if (!query) await event(10);
        if (ready) say(...identify(discord));
        if (ready) await event('READY');
        for (const payload of sends(discord)) say(...payload);
        assert.equal(await closed(), code);
    });
}

test('the gateway takes 120 payloads a minute, and 4096 bytes in one', async (t) => {
    const { discord } = await open(t);
    const { say, got, event, socket } = await openSocket(t, discord.gateway.url);
    await event(10);
    say(...identify(discord));
    await event('READY');
    for (let i = 0; i < 118; i++) say(1, null);
    say(`{"op":1,"d":null}${' '.repeat(4079)}`);
    await until('every ack', () => got.filter(({ op }) => op === 11).length === 119);
    assert.equal(socket.readyState, socket.OPEN);
});

test('a session resumes where READY named it, with what it missed, and not once it was misused', async (t) => {
    const { discord, rest } = await open(t);
    const first = await openSocket(t, discord.gateway.url);
    await first.event(10);
    first.say(...identify(discord));
    const { d: ready } = await first.event('READY');
    assert.notEqual(ready.resume_gateway_url, discord.gateway.url);
    await rest.post(messagesOf(ops), { body: card });
    const [message] = discord.messages();
    const missed = discord.press({ user: alice, message, label: 'Allow' });
    missed.catch(() => {});
    const { s, d: click } = await first.event('INTERACTION_CREATE');
    first.socket.terminate();
    await first.closed();
    discord.redeliver({ payload: click });
    const resume = (seq) => [6, { token: discord.botToken, session_id: ready.session_id, seq }];

    const wrong = await openSocket(t, discord.gateway.url);
    await wrong.event(10);
    wrong.say(...resume(s));
    assert.equal((await wrong.event(9)).d, false);

    const second = await openSocket(t, ready.resume_gateway_url);
    await second.event(10);
    second.say(...resume(s));
    await second.event('RESUMED');
    const replayed = second.got.filter(({ t: type }) => type === 'INTERACTION_CREATE');
    assert.deepEqual(
        replayed.map((one) => [one.s, one.d.id]),
        [[s + 1, click.id]],
    );
    const ahead = await openSocket(t, ready.resume_gateway_url);
    await ahead.event(10);
    ahead.say(...resume(99));
    assert.equal(await ahead.closed(), 4007);

    const third = await openSocket(t, ready.resume_gateway_url);
    await third.event(10);
    third.say(...resume(s));
    assert.equal((await third.event(9)).d, false);
});

test('an app that closes with 1000 ends its session; one that identifies too often loses its token', async (t) => {
    const { discord } = await open(t, { identifyEvery: 60_000 });
    const first = await openSocket(t, discord.gateway.url);
    await first.event(10);
    first.say(...identify(discord));
    await first.event('READY');
    first.socket.close(1000);
    await until('the session to end', () => discord.gateway.sessions.size === 0);
    const soon = await openSocket(t, discord.gateway.url);
    await soon.event(10);
    soon.say(...identify(discord));
    assert.equal((await soon.event(9)).d, false);
    assert.equal(discord.gateway.info().session_start_limit.remaining, 999);
    discord.gateway.identifyEvery = 0;
    discord.gateway.starts.remaining = 0;
    const token = discord.botToken;
    soon.say(...identify(discord));
    assert.equal(await soon.closed(), 4004);
    assert.notEqual(discord.botToken, token);
});

test('the words of people reach an app only with the intents for them', async (t) => {
    const { discord } = await open(t, { privileged: 1 << 15 });
    const seenWith = async (intents) => {
        const one = await openSocket(t, discord.gateway.url);
        await one.event(10);
        one.say(...identify(discord, { intents }));
        await one.event('READY');
        return one.got;
    };
    const [none, hidden, whole] = [await seenWith(0), await seenWith(512), await seenWith(512 | (1 << 15))];
    const { delivered } = await discord.say({ user: alice, channel: ops, text: 'approve K7' });
    assert.equal(delivered, true);
    const contents = (got) => got.filter(({ t: type }) => type === 'MESSAGE_CREATE').map(({ d }) => d.content);
    await until('the words', () => contents(whole).length === 1);
    assert.deepEqual([contents(none), contents(hidden), contents(whole)], [[], [''], ['approve K7']]);
});

test('the real REST client posts, edits, uploads, and starts threads and direct messages', async (t) => {
    const { discord, rest } = await open(t);
    const nonce = { nonce: '01HZX', enforce_nonce: true };
    const posted = await rest.post(messagesOf(ops), { body: { ...card, ...nonce } });
    assert.equal((await rest.post(messagesOf(ops), { body: { ...card, ...nonce } })).id, posted.id);
    assert.equal(discord.messages().length, 1);
    await rest.patch(`${messagesOf(ops)}/${posted.id}`, { body: { content: 'Allowed', components: [] } });
    assert.equal(discord.messages()[0].content, 'Allowed');
    assert.deepEqual(discord.labels(discord.messages()[0]), []);

    const second = await rest.post(messagesOf(ops), { body: card2 });
    assert.equal(discord.text(discord.messages()[1]), '## Deploy?');
    assert.deepEqual(discord.labels(discord.messages()[1]), ['Allow', 'Deny']);
    await rest.delete(`${messagesOf(ops)}/${second.id}`);
    assert.equal(discord.messages().length, 1);

    const files = [{ name: 'call.txt', data: Buffer.from('all of it') }];
    await rest.post(messagesOf(ops), { body: { content: 'The call', attachments: [{ id: 0 }] }, files });
    assert.deepEqual(
        discord
            .messages()
            .at(-1)
            .files.map(({ name, content }) => [name, content]),
        [['call.txt', 'all of it']],
    );

    const thread = await rest.post(`${messagesOf(ops)}/${posted.id}/threads`, { body: { name: '01HZX' } });
    assert.equal(thread.id, posted.id);
    await rest.post(messagesOf(thread.id), { body: { content: 'in it' } });
    assert.equal(discord.messages({ channel: thread.id })[0].content, 'in it');

    discord.addUser({ id: alice });
    const direct = await rest.post('/users/@me/channels', { body: { recipient_id: alice } });
    await rest.post(messagesOf(direct.id), { body: { content: 'only you' } });
    assert.equal(discord.messages({ channel: direct.id })[0].content, 'only you');
    const reply = { message_reference: { message_id: '1', fail_if_not_exists: false } };
    await rest.post(messagesOf(direct.id), { body: { content: 'to nothing', ...reply } });
    assert.equal(discord.messages({ channel: direct.id })[1].reply_to, undefined);

    assert.equal((await rest.get('/users/@me')).username, 'countersign');
    const app = await rest.get('/applications/@me');
    assert.deepEqual([app.id, app.verify_key], [discord.application, discord.publicKey]);
    assert.equal((await rest.get(`/channels/${ops}`)).guild_id, discord.guild);
    assert.equal((await rest.get(`/guilds/${discord.guild}/members/${discord.bot}`)).user.bot, true);
    const [guild] = await rest.get('/users/@me/guilds', { query: new URLSearchParams({ limit: '1' }) });
    assert.equal(guild.id, discord.guild);
    const listed = await rest.get(`/guilds/${guild.id}/channels`);
    assert.deepEqual(
        listed.map(({ id }) => id),
        [ops],
        'threads and direct messages are not listed',
    );
    assert.equal((await rest.get(`/users/${alice}`)).username, `user${alice}`);
    assert.deepEqual(
        discord.journal.filter((entry) => entry.refused),
        [],
    );
});

// An app that takes interactions by HTTP, with the vendor's own check.
async function openEndpoint(t, discord, answerTo) {
    const server = await listen(
        http.createServer(async (request, response) => {
            const body = await bytesOf(request);
            const { 'x-signature-ed25519': signature = '', 'x-signature-timestamp': time = '' } = request.headers;
            if (!(await verifyKey(body, signature, time, discord.publicKey))) return response.writeHead(401).end();
            const interaction = JSON.parse(body);
            const answer = interaction.type === InteractionType.PING ? { type: 1 } : answerTo(interaction);
            if (!answer) return response.writeHead(202).end();
            response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
        }),
    );
    t.after(() => server.close());
    return `http://127.0.0.1:${server.port}/`;
}

test("discord-interactions accepts what it signs, and refuses what is altered or another's", async (t) => {
    const { discord, rest } = await open(t);
    const url = await openEndpoint(t, discord, () => ({ type: 7, data: { content: 'Allowed', components: [] } }));
    await rest.patch('/applications/@me', { body: { interactions_endpoint_url: url } });
    assert.equal(discord.webhook, url);
    assert.deepEqual((await discord.ping()).body, { type: 1 });
    await rest.post(messagesOf(ops), { body: card });
    const [message] = discord.messages();
    const click = { user: alice, message, label: 'Allow' };
    const tamper = (text) => text.replace(alice, bob);
    assert.equal((await discord.press({ ...click, signed: { alter: tamper } })).status, 401);
    assert.equal((await discord.press({ ...click, signed: { signature: '00'.repeat(64) } })).status, 401);
    assert.equal((await discord.press({ ...click, signed: { signature: 'no hex' } })).status, 401);
    assert.equal(message.content, 'Deploy?');
    const { status, body } = await discord.press(click);
    assert.deepEqual([status, body.type, message.content], [200, 7, 'Allowed']);
});

test('an address that does not refuse bad signatures, or answers no PING, is not taken', async (t) => {
    const { discord, rest } = await open(t);
    const answering = async (status, answer) => {
        const server = await listen(
            http.createServer((request, response) => {
                request.resume();
                response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
            }),
        );
        t.after(() => server.close());
        return `http://127.0.0.1:${server.port}/`;
    };
    for (const url of [
        await answering(200, { type: 1 }),
        await answering(401, {}),
        await answering(200, { type: 4 }),
    ]) {
        const set = rest.patch('/applications/@me', { body: { interactions_endpoint_url: url } });
        await assert.rejects(set, /could not be verified/);
    }
    assert.equal(discord.webhook, null);
});

test('interactions go over HTTP or the gateway, never both', async (t) => {
    const { discord, rest } = await open(t);
    const { seen } = await connect(t, discord, 0);
    const later = [];
    const url = await openEndpoint(t, discord, (interaction) => void later.push(interaction));
    await rest.post(messagesOf(ops), { body: card });
    const [message] = discord.messages();
    discord.webhook = url;
    const pressed = discord.press({ user: alice, message, label: 'Allow' });
    const { id, token } = await until('the click', () => later[0]);
    const response = { type: 7, data: { content: 'by the callback' } };
    await rest.post(`/interactions/${id}/${token}/callback`, { body: response, auth: false });
    const { status, body } = await pressed;
    assert.deepEqual([status, body], [202, response]);
    assert.equal(message.content, 'by the callback');
    assert.deepEqual(seen, []);
});

// The click of an app that answers with the REST client, at times of its own.
async function openClick(t, { body = card, label = 'Allow', age } = {}) {
    const { discord, rest } = await open(t);
    const caught = [];
    discord.webhook = await openEndpoint(t, discord, (interaction) => void caught.push(interaction));
    await rest.post(messagesOf(ops), { body });
    const message = discord.messages()[0];
    const pressed = discord.press({ user: alice, message, label, age });
    pressed.catch(() => {});
    const { id, token } = await until('the click', () => caught[0]);
    const answer = (response, query) =>
        rest.post(`/interactions/${id}/${token}/callback`, { body: response, auth: false, query });
    const webhook = `/webhooks/${discord.application}/${token}`;
    const edit = (edited) => rest.patch(`${webhook}/messages/@original`, { body: edited, auth: false });
    const follow = (followup) => rest.post(webhook, { body: followup, auth: false });
    return { discord, rest, message, pressed, answer, edit, follow, caught };
}

const refused = (promise, status, code, words = /./) =>
    assert.rejects(promise, (error) => {
        assert.deepEqual([error.status, error.code], [status, code], error.message);
        assert.match(error.message, words);
        return true;
    });

test('an interaction is answered once; then its token edits and adds messages for 15 minutes', async (t) => {
    const { discord, message, answer, edit, follow } = await openClick(t);
    await refused(edit({ content: 'too early' }), 404, 10015);
    const query = new URLSearchParams({ with_response: true });
    const { resource } = await answer({ type: 6 }, query);
    assert.equal(resource.type, 6);
    await refused(answer({ type: 6 }), 400, 40060, /already been acknowledged/);
    await edit({ content: 'Allowed', components: [] });
    assert.equal(message.content, 'Allowed');
    await follow({ content: 'only for you', flags: 64 });
    assert.equal(discord.messages({ ephemeral: true })[0].ephemeral, alice);
    discord.advance(15 * 60 - 3);
    await edit({ content: 'just in time' });
    discord.advance(4);
    await refused(edit({ content: 'too late' }), 401, 50027, /Invalid Webhook Token/);
    await refused(follow({ content: 'too late' }), 401, 50027);
    assert.equal(message.content, 'just in time');
});

test('a deferred reply is a loading message that the first followup replaces', async (t) => {
    const { discord, answer, follow } = await openClick(t);
    await answer({ type: 5, data: { flags: 64 } });
    const [loading] = discord.messages({ ephemeral: true });
    assert.equal(loading.flags, 64 | 128);
    await follow({ content: 'done' });
    assert.deepEqual([loading.content, loading.flags], ['done', 64]);
    await follow({ content: 'more', flags: 64 });
    assert.equal(discord.messages({ ephemeral: true }).length, 2);
});

test('an interaction that is 3 seconds old is unknown, and so is one with another token', async (t) => {
    const { discord, pressed, answer, rest } = await openClick(t);
    const reply = { type: 4, data: { content: 'x' } };
    const [{ id }] = [discord.calls('POST /interactions/:id/:token/callback')[0] ?? { id: '1' }];
    await refused(rest.post(`/interactions/${id}/abc/callback`, { body: reply, auth: false }), 404, 10062);
    discord.advance(4);
    await refused(answer({ type: 6 }), 404, 10062, /Unknown interaction/);
    await assert.rejects(pressed, /was not acknowledged/);
    const old = await openClick(t, { age: 5000 });
    assert.ok(BigInt(old.caught[0].id) < BigInt(old.message.id));
    await refused(old.answer({ type: 6 }), 404, 10062);
});

const long = (size) => 'x'.repeat(size);
const button = (fields) => ({ content: 'x', components: [row({ ...allow, ...fields })] });
const text = (content) => ({ type: 10, content });
const options = (count) => Array.from({ length: count }, (_, i) => ({ label: `${i}`, value: `${i}` }));
const select = (fields) => ({
    content: 'x',
    components: [row({ type: 3, custom_id: 's', options: options(2), ...fields })],
});

// name, what is posted, the words of the refusal
const bodies = [
    ['an unknown field', { content: 'x', silent: true }, /strict: Message: .*"silent"/],
    ['a field of the wrong type', { content: 5 }, /strict: Message: \/content must be string/],
    ['a content of 2001', { content: long(2001) }, /content\[BASE_TYPE_MAX_LENGTH\]: Must be 2000 or fewer in length/],
    ['a nonce of 26', { content: 'x', nonce: long(26) }, /nonce\[BASE_TYPE_BAD_LENGTH\]: Must be between 1 and 25/],
    ['an empty custom id', button({ custom_id: '' }), /custom_id\[BASE_TYPE_BAD_LENGTH\]: Must be between 1 and 100/],
    ['a custom id of 101', button({ custom_id: long(101) }), /custom_id\[BASE_TYPE_BAD_LENGTH\]/],
    ['a label of 81', button({ label: long(81) }), /label\[BASE_TYPE_MAX_LENGTH\]: Must be 80 or fewer/],
    ['a style that does not exist', button({ style: 7 }), /strict: Message: .*style/],
    ['a misspelt button', button({ lable: 'x' }), /strict: Message: .*"lable"/],
    [
        'six buttons in a row',
        { content: 'x', components: [row(...options(6).map(({ value: id }) => ({ ...allow, custom_id: id })))] },
        /components\[BASE_TYPE_BAD_LENGTH\]: Must be between 1 and 5/,
    ],
    [
        'a custom id twice',
        { content: 'x', components: [row(allow), row(allow)] },
        /components\[1\].components\[0\].custom_id\[COMPONENT_CUSTOM_ID_DUPLICATED\]/,
    ],
    ['26 options', select({ options: options(26) }), /options\[BASE_TYPE_BAD_LENGTH\]: Must be between 1 and 25/],
    ['an option of 101', select({ options: [{ label: long(101), value: 'x' }] }), /label\[BASE_TYPE_BAD_LENGTH\]/],
    ['the same option twice', select({ options: [...options(1), ...options(1)] }), /OPTION_VALUE_DUPLICATED/],
    ['more values than options', select({ max_values: 3 }), /max_values above the number of options/],
    [
        'a list next to a button',
        { content: 'x', components: [row(allow, select({}).components[0].components[0])] },
        /WIDTH_EXCEEDED/,
    ],
    [
        'six rows',
        { content: 'x', components: options(6).map(({ value: id }) => row({ ...allow, custom_id: id })) },
        /components\[BASE_TYPE_MAX_LENGTH\]: Must be 5 or fewer/,
    ],
    ['a text display without the flag', { content: 'x', components: [text('x')] }, /type\[UNION_TYPE_CHOICES\]/],
    ['content with the flag', { ...card2, content: 'x' }, /content\[MESSAGE_CANNOT_USE_LEGACY_FIELDS/],
    ['embeds with the flag', { ...card2, embeds: [{ title: 'x' }] }, /embeds\[MESSAGE_CANNOT_USE_LEGACY_FIELDS/],
    [
        '41 components',
        { flags: 32768, components: Array.from({ length: 41 }, () => text('x')) },
        /TOTAL_COMPONENTS_EXCEEDED/,
    ],
    ['texts of 4001', { flags: 32768, components: [text(long(4000)), text('x')] }, /DISPLAYABLE_TEXT_SIZE_EXCEEDED/],
    [
        'a file that is not there',
        { flags: 32768, components: [{ type: 13, file: { url: 'attachment://a.txt' } }] },
        /ATTACHMENT_NOT_FOUND/,
    ],
    ['an ephemeral message', { content: 'x', flags: 64 }, /flags 64 cannot be set here/],
    ['an embed of 6001', { embeds: [{ description: long(4096) }, { description: long(1905) }] }, /MAX_EMBED_SIZE/],
    ['an embed field without a value', { embeds: [{ fields: [{ name: 'x', value: '' }] }] }, /value\[BASE_TYPE_BAD/],
    ['an attachment without a part', { content: 'x', attachments: [{ id: 0 }] }, /no part files\[0\]/],
    ['a reply to nothing', { content: 'x', message_reference: { message_id: '1' } }, /REPLIES_UNKNOWN_MESSAGE/],
    ['mentions twice', { content: 'x', allowed_mentions: { parse: ['users'], users: [alice] } }, /PARSE_EXCLUSIVE/],
];

for (const [name, body, words] of bodies) {
    test(`refused: ${name}`, async (t) => {
        const { discord, rest } = await open(t);
        await refused(rest.post(messagesOf(ops), { body }), 400, 50035, words);
        assert.deepEqual(discord.messages(), []);
        assert.match(discord.journal[0].refused, /^50035 /);
    });
}

test('taken: every bound to its last character', async (t) => {
    const { discord, rest } = await open(t);
    const widest = options(5).map(({ value }) => ({ ...allow, label: long(80), custom_id: value.padEnd(100, 'x') }));
    const list = select({ options: options(25), max_values: 25, placeholder: long(150) }).components[0];
    const body = { content: '😀'.repeat(2000), nonce: long(25), components: [row(...widest), list] };
    await rest.post(messagesOf(ops), { body });
    const texts = Array.from({ length: 40 }, () => text(long(100)));
    await rest.post(messagesOf(ops), { body: { flags: 32768, components: texts } });
    await rest.post(messagesOf(ops), { body: { embeds: [{ description: long(4096) }, { description: long(1904) }] } });
    assert.equal(discord.messages().length, 3);
});

const input = (fields) => ({ type: 4, style: 2, custom_id: 'r', ...fields });
const labelled = (fields, label = 'Reason') => ({ type: 18, label, component: input(fields) });
const modal = (fields, ...components) => ({
    type: 9,
    data: { custom_id: 'w', title: 'Deny', components: components.length ? components : [labelled({})], ...fields },
});
const responses = [
    ['a type that is not one', { type: 99 }, /response of type 99/],
    ['a PONG to a click', { type: 1 }, /no response of type 1 to this/],
    ['a deferred reply with a text', { type: 5, data: { content: 'x' } }, /ResponseDeferredReply: .*"content"/],
    ['a reply of 2001', { type: 4, data: { content: long(2001) } }, /data.content\[BASE_TYPE_MAX_LENGTH\]/],
    ['a reply with a misspelt field', { type: 4, data: { contents: 'x' } }, /ResponseReply: .*"contents"/],
    ['a window without a title', { type: 9, data: { custom_id: 'w', components: [] } }, /ResponseModal: .*'title'/],
    ['a title of 46', modal({ title: long(46) }), /data.title\[BASE_TYPE_BAD_LENGTH\]: Must be between 1 and 45/],
    ['a window without fields', modal({ components: [] }), /data.components\[BASE_TYPE_BAD_LENGTH\]/],
    ['a value of 4001', modal({}, labelled({ value: long(4001) })), /value\[BASE_TYPE_MAX_LENGTH\]: Must be 4000/],
    ['an input that takes 4001', modal({}, labelled({ max_length: 4001 })), /max_length\[NUMBER_TYPE_MAX\]/],
    ['a label of 46', modal({}, labelled({}, long(46))), /label\[BASE_TYPE_BAD_LENGTH\]: Must be between 1 and 45/],
    ['two fields of one name', modal({}, labelled({}), labelled({})), /CUSTOM_ID_DUPLICATED/],
    ['an input in a row without a label', modal({}, row(input({}))), /label\[BASE_TYPE_REQUIRED\]/],
];

test('refused: answers that do not fit, and the interaction stays open', async (t) => {
    const { message, pressed, answer } = await openClick(t);
    for (const [name, response, words] of responses) {
        await refused(answer(response), 400, 50035, words).catch((error) => {
            throw new Error(`${name}: ${error.message}`, { cause: error });
        });
    }
    await refused(answer({ type: 4, data: { content: '' } }), 400, 50006);
    await answer(modal({}, labelled({ value: long(4000), max_length: 4000 }, long(45))));
    assert.equal((await pressed).body.type, 9);
    assert.equal(message.history.length, 0);
});

test('refused: what is not there, what is not allowed, and who is not known', async (t) => {
    const { discord, rest } = await open(t);
    const { id } = await rest.post(messagesOf(ops), { body: card });
    const user = (await discord.say({ user: alice, channel: ops, text: 'hi' })).message.id;
    await refused(rest.post(messagesOf('1'), { body: card }), 404, 10003, /Unknown Channel/);
    await refused(rest.patch(`${messagesOf(ops)}/1`, { body: card }), 404, 10008, /Unknown Message/);
    await refused(rest.patch(`${messagesOf(ops)}/${user}`, { body: card }), 403, 50005);
    await refused(rest.post(messagesOf(ops), { body: { content: '' } }), 400, 50006, /empty message/);
    discord.remove(discord.messages()[0]);
    await refused(rest.patch(`${messagesOf(ops)}/${id}`, { body: card }), 404, 10008);
    await refused(rest.post('/users/@me/channels', { body: { recipient_id: bob } }), 400, 50033);
    discord.addUser({ id: bob, direct: false });
    const direct = await rest.post('/users/@me/channels', { body: { recipient_id: bob } });
    await refused(rest.post(messagesOf(direct.id), { body: card }), 403, 50007, /Cannot send messages to this user/);
    discord.deny(ops, 'ATTACH_FILES');
    const files = [{ name: 'a.txt', data: 'x' }];
    await refused(rest.post(messagesOf(ops), { body: card, files }), 403, 50013, /Missing Permissions/);
    discord.deny(ops, 'SEND_MESSAGES');
    await refused(rest.post(messagesOf(ops), { body: card }), 403, 50013);
    assert.equal((await rest.get(`/channels/${ops}`)).permission_overwrites[0].deny, String((1 << 15) | (1 << 11)));
    discord.deny(ops, 'VIEW_CHANNEL');
    await refused(rest.post(messagesOf(ops), { body: card }), 403, 50001, /Missing Access/);
    await refused(rest.get('/users/@me/guilds?limit=201'), 400, 50035, /between 1 and 200/);
    await refused(rest.get('/users/1'), 404, 10013, /Unknown User/);
    discord.world.joined = false;
    assert.deepEqual(await rest.get('/users/@me/guilds'), []);
    await refused(rest.get(`/guilds/${discord.guild}/channels`), 404, 10004, /Unknown Guild/);
    await refused(rest.get('/nothing'), 404, 0);
});

test('refused: an edit too many of a message that is an hour old, and one in an archived thread', async (t) => {
    const { discord, rest } = await open(t);
    const { id } = await rest.post(messagesOf(ops), { body: card });
    discord.world.editsOfOld = 1;
    discord.advance(3601);
    const edit = () => rest.patch(`${messagesOf(ops)}/${id}`, { body: { content: 'x' } });
    await edit();
    const raw = await fetch(`${discord.url}${messagesOf(ops)}/${id}`, {
        method: 'PATCH',
        headers: headersOf(discord),
        body: JSON.stringify({ content: 'y' }),
    });
    assert.deepEqual([raw.status, (await raw.json()).code], [429, 30046]);
    await rest.post(`${messagesOf(ops)}/${id}/threads`, { body: { name: 'x' } });
    const { id: inside } = await rest.post(messagesOf(id), { body: card });
    discord.archive(id);
    await refused(rest.patch(`${messagesOf(id)}/${inside}`, { body: { content: 'x' } }), 400, 50083);
    await refused(rest.post(`${messagesOf(ops)}/${id}/threads`, { body: { name: 'x' } }), 400, 160004);
});

const headersOf = (discord, more = {}) => ({
    'user-agent': 'DiscordBot (https://example.com, 1)',
    authorization: `Bot ${discord.botToken}`,
    'content-type': 'application/json',
    ...more,
});

test('refused: a caller without its name, its token, or with a token where none is taken', async (t) => {
    const { discord } = await open(t);
    const call = async (path, { method = 'POST', headers, body = JSON.stringify(card) }) => {
        const answer = await fetch(`${discord.url}${path}`, { method, headers: headersOf(discord, headers), body });
        return [answer.status, (await answer.json()).code];
    };
    const path = messagesOf(ops);
    assert.deepEqual(await call(path, { headers: { 'user-agent': 'curl/8' } }), [403, 40333]);
    assert.deepEqual(await call(path, { headers: { authorization: 'Bot x' } }), [401, 0]);
    assert.deepEqual(await call(path, { headers: { authorization: discord.botToken } }), [401, 0]);
    assert.deepEqual(await call('/interactions/1/t/callback', {}), [400, 0]);
    assert.deepEqual(await call(path, { headers: { 'content-type': 'text/plain' } }), [400, 50035]);
    assert.deepEqual(await call(path, { body: '{' }), [400, 50109]);
    assert.equal(discord.rates.invalid, 3);
});

test('buckets run dry and fill again, each for one channel', async (t) => {
    const other = '345626669114982998';
    const { discord } = await open(t, { channels: [ops, other] });
    const post = async (channel) => {
        const body = JSON.stringify({ content: 'x' });
        const answer = await fetch(`${discord.url}${messagesOf(channel)}`, {
            method: 'POST',
            headers: headersOf(discord),
            body,
        });
        return [answer, await answer.json()];
    };
    const left = [];
    for (let i = 0; i < 5; i++) left.push((await post(ops))[0].headers.get('x-ratelimit-remaining'));
    assert.deepEqual(left, ['4', '3', '2', '1', '0']);
    const [limited, why] = await post(ops);
    assert.equal(limited.status, 429);
    assert.equal(limited.headers.get('x-ratelimit-scope'), 'user');
    assert.ok(limited.headers.get('x-ratelimit-bucket'));
    assert.ok(why.retry_after > 3 && why.retry_after <= 5 && why.global === false && why.code === undefined);
    assert.equal((await post(other))[0].status, 200);
    discord.advance(5);
    assert.equal((await post(ops))[0].status, 200);
    assert.equal(discord.journal.filter(({ status }) => status === 429).length, 1);

    discord.fail('POST /channels/:channel/messages', { kind: 'limit', retryAfter: 9, scope: 'global' });
    const [everywhere, asWell] = [await post(ops), await post(other)];
    assert.deepEqual([everywhere[1].global, everywhere[0].headers.get('x-ratelimit-global')], [true, 'true']);
    assert.equal(asWell[0].status, 429);
    discord.advance(9);

    discord.fail('*', { kind: 'cloudflare', retryAfter: 30 });
    const answer = await fetch(`${discord.url}/users/@me`, { headers: headersOf(discord) });
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [429, '30']);
    assert.match(await answer.text(), /^<!doctype html>/);
});

test('more than 50 calls in a second are too many, whatever they are', async (t) => {
    const { discord } = await open(t);
    const began = performance.now();
    const calls = Array.from({ length: 90 }, () => fetch(`${discord.url}/users/@me`, { headers: headersOf(discord) }));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    const seconds = 1 + Math.floor((performance.now() - began) / 1000);
    const taken = statuses.filter((status) => status === 200).length;
    assert.ok(taken >= 50 && taken <= 50 * seconds, `${taken} in ${seconds} s`);
});

test('failures on order: lost before, lost after, refused, not JSON, and a bucket that others emptied', async (t) => {
    const { discord, rest } = await open(t);
    const route = 'POST /channels/:channel/messages';
    const post = () => rest.post(messagesOf(ops), { body: card });
    assert.throws(() => discord.fail('POST /channels', { kind: 'drop' }), /no route/);
    assert.throws(() => discord.fail(route, { kind: 'loud' }), /no failure of kind/);
    discord.fail(route, { kind: 'drop' });
    await assert.rejects(post());
    assert.equal(discord.messages().length, 0);
    discord.fail(route, { kind: 'cut' });
    await assert.rejects(post());
    assert.equal(discord.messages().length, 1);
    discord.fail(route, { kind: 'error', status: 403, code: 50001, message: 'Missing Access' });
    await refused(post(), 403, 50001);
    discord.fail(route, { kind: 'server' });
    await assert.rejects(post(), /Bad Gateway|502/);
    discord.fail(route, { kind: 'limit', retryAfter: 2, scope: 'shared' });
    await assert.rejects(post(), { name: /RateLimitError/ });
    assert.equal(discord.rates.invalid, 1);
});
