// SPDX-License-Identifier: Apache-2.0
// The contract with Slack: every call that Countersign makes is the call that @slack/web-api, the real client library,
// makes for the same arguments. What the types and Slack's own bounds refuse, the simulator refuses already.
import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import { WebClient } from '@slack/web-api';
import { until } from './bench.mjs';
import { bytesOf, listen } from './loopback.mjs';
import { answered, ask } from './serving.mjs';
import { fieldsOf } from './slack_simulator.mjs';
import { alice, card, ended, mallory, openWorld } from './slack_world.mjs';

const wanted = [
    'apps.connections.open',
    'auth.test',
    'chat.postEphemeral',
    'chat.postMessage',
    'chat.update',
    'conversations.info',
    'files.completeUploadExternal',
    'files.getUploadURLExternal',
    'views.open',
];

async function everyCall(t) {
    const here = await openWorld(t);
    const { slack, world, hub } = here;
    const agent = ask(world, undefined, { command: `echo <&> ${'x '.repeat(8000)}` });
    const message = await card(here);
    await slack.press({ user: mallory, message, label: 'Deny' });
    await until('a refusal', () => slack.messages({ ephemeral: true })[0]);
    await slack.press({ user: alice, message, label: 'Deny…' });
    const view = await until('a window', () => slack.views[0], { status: () => hub.story() });
    const values = { reason: { field: { type: 'plain_text_input', value: 'a & b' } } };
    await slack.submit({ user: alice, view, values });
    await answered(agent, 'reject_once', hub);
    await ended(here, message);
    return slack.journal;
}

// Answers everything with success and keeps what it was sent.
async function openRecorder(t) {
    const calls = [];
    const server = await listen(
        http.createServer(async (request, response) => {
            const body = (await bytesOf(request)).toString('utf8');
            calls.push({
                method: request.url.slice('/api/'.length),
                verb: request.method,
                token: request.headers.authorization,
                fields: fieldsOf(request.headers['content-type'] ?? '', body),
            });
            response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
        }),
    );
    t.after(() => server.close());
    return { calls, url: `http://127.0.0.1:${server.port}/api/` };
}

// A form has scalars as text.
const plain = (fields) => {
    const text = (value) => (typeof value === 'object' ? value : String(value));
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, text(value)]));
};

test('every call is the one that the real Web API client makes', async (t) => {
    const journal = await everyCall(t);
    assert.deepEqual([...new Set(journal.map(({ method }) => method))].sort(), wanted);
    const { calls, url } = await openRecorder(t);
    for (const { method, fields, token } of journal) {
        const client = new WebClient(token, { slackApiUrl: url, retryConfig: { retries: 0 } });
        await client.apiCall(method, fields);
        const made = calls.at(-1);
        assert.deepEqual([made.method, made.verb, made.token], [method, 'POST', `Bearer ${token}`]);
        assert.deepEqual(plain(made.fields), plain(fields), method);
    }
});
