// SPDX-License-Identifier: Apache-2.0
// The contract with Discord: every call that Countersign makes is the call that @discordjs/rest, the client of
// discord.js, makes for the same arguments. Bodies that don't fit discord-api-types or Discord's own bounds are refused
// by the simulator already.
import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import { REST } from '@discordjs/rest';
import { until } from './bench.mjs';
import { readBody } from './discord/bodies.mjs';
import { alice, bob, cards, channel, codeOn, ended, mallory, openWorld } from './discord_world.mjs';
import { bytesOf, listen } from './loopback.mjs';
import { onSlowDisk, speak } from './serving.mjs';

const basePath = '/api/v10';
const wanted = [
    'GET /applications/:application/commands',
    'GET /applications/@me',
    'GET /channels/:channel',
    'GET /gateway/bot',
    'GET /guilds/:guild/members/:user',
    'GET /users/@me/guilds',
    'PATCH /channels/:channel/messages/:message',
    'PATCH /webhooks/:application/:token/messages/:message',
    'POST /applications/:application/commands',
    'POST /channels/:channel/messages',
    'POST /channels/:channel/messages/:message/threads',
    'POST /interactions/:id/:token/callback',
    'POST /users/@me/channels',
    'POST /webhooks/:application/:token',
];

const call = (n, command) => ({
    type: 'approval_request',
    approvalId: `01HZXAAAAAAAAAAAAAAAAAAAA${n}`,
    approvalSource: 'runtime_tool',
    sessionKey: 's',
    subject: { kind: 'tool_use', toolName: 'Bash', toolId: 't', rawInput: { command }, displayArgs: {} },
    options: [
        { optionId: 'allow', label: 'Allow', nativeDecision: 'allow_once' },
        { optionId: 'deny', label: 'Deny', nativeDecision: 'reject_once' },
    ],
});

// A long call as a file, a thread, direct messages, a refusal, a modal, and results that follow after the first answer.
async function everyCall(t) {
    const steps = `{ channel = "desk", chat = "${channel}" }, { channel = "desk", people = ["bob"], after = "1s" }`;
    const here = await openWorld(t, { steps, wrap: onSlowDisk });
    const { discord, world, hub } = here;
    const waits = { within: 60_000, status: () => hub.story() };
    const isDirect = (one) => discord.world.channel(one.channel).recipient === bob;
    const shown = (direct) => cards(discord).filter((one) => isDirect(one) === direct);
    speak(world, 'one', [call(1, `echo "äöü <@&1> @everyone" ${'x '.repeat(8000)}`)], { agent: 'agent' });
    const [long] = await until('a card', () => shown(true).length === 1 && shown(false), waits);
    speak(world, 'two', [call(2, 'ls')], { agent: 'agent' });
    const short = await until('a second card', () => shown(true).length === 2 && shown(false)[1], waits);
    speak(world, 'three', [call(3, 'pwd')], { agent: 'agent' });
    const third = await until('a third card', () => shown(false)[2], waits);
    await discord.press({ user: mallory, message: long, label: 'Deny' });
    const type = (words) => discord.slash({ user: bob, channel, command: 'countersign', options: { words } });
    await type(`more ${codeOn(discord, long)}`);
    await discord.press({ user: alice, message: long, label: 'Deny…' });
    await discord.submit({ modal: discord.modals[0], values: { reason: 'a & b <@1>' } });
    await Promise.all([
        discord.press({ user: alice, message: short, label: 'Allow' }),
        discord.press({ user: bob, message: short, label: 'Deny' }),
        type(`approve ${codeOn(discord, third)}`),
    ]);
    await Promise.all([long, short, third].map((message) => ended(here, message)));
    const missing = () => wanted.filter((route) => discord.calls(route).length === 0);
    await until('every call', () => missing().length === 0, { ...waits, status: () => `not made: ${missing()}` });
    return discord.journal.filter(({ route }) => route !== null);
}

// Answers everything with success and keeps what it was sent.
async function openRecorder(t) {
    const calls = [];
    const server = await listen(
        http.createServer(async (request, response) => {
            const { method, url: path, headers } = request;
            const { body, files } = readBody(request, await bytesOf(request));
            calls.push({ method, path, authorization: headers.authorization, body, files });
            response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        }),
    );
    t.after(() => server.close());
    return { calls, api: `http://127.0.0.1:${server.port}/api` };
}

// discord.js calls these without the bot's token: theirs is in the path.
const isOfInteraction = (path) => /^\/api\/v10\/(?:webhooks|interactions)\//.test(path);
const plainFile = ({ index, name, content }) => ({ index, name, content: content.toString('utf8') });
const plain = ({ method, path, authorization, body = {}, files = [] }) => ({
    ...{ method, path, authorization, body },
    files: files.map(plainFile),
});

test('every call is the one that the real REST client makes', async (t) => {
    const journal = await everyCall(t);
    assert.deepEqual([...new Set(journal.map(({ route }) => route))].sort(), wanted);
    const { calls, api } = await openRecorder(t);
    for (const made of journal) {
        const { method, path, body, files = [], authorization = '' } = made;
        const [scheme, token] = authorization.split(' ');
        assert.ok(['', 'Bot'].includes(scheme), scheme);
        const rest = new REST({ api, version: '10', retries: 0 }).setToken(token ?? 'of the bot');
        await rest.request({
            ...{ method, fullRoute: path.slice(basePath.length), auth: !isOfInteraction(path) },
            ...(method !== 'GET' && { body }),
            files: files.map(({ name, content, type }) => ({ name, data: content, contentType: type })),
        });
        assert.deepEqual(plain(calls.at(-1)), plain(made), `${method} ${path}`);
    }
});
