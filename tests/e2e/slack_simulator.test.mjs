// SPDX-License-Identifier: Apache-2.0
// The simulator is proved with Slack's own packages before it is used: the real Bolt receiver accepts what it signs,
// the real Socket Mode client connects to it, and the real Web API client is understood.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import bolt from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import { WebClient } from '@slack/web-api';
import { problemOfBlocks, problemOfView } from './slack_schema.mjs';
import { SlackSimulator } from './slack_simulator.mjs';
import { until } from './until.mjs';

const blocks = [
    { type: 'section', text: { type: 'mrkdwn', text: '*Deploy?*' } },
    {
        type: 'actions',
        block_id: 'a',
        elements: [
            {
                type: 'button',
                action_id: 'd',
                style: 'primary',
                text: { type: 'plain_text', text: 'Allow' },
                value: 'x',
            },
        ],
    },
];

async function open(t) {
    const slack = await SlackSimulator.start();
    t.after(() => slack.close());
    const web = new WebClient(slack.botToken, { slackApiUrl: `${slack.url}/`, retryConfig: { retries: 0 } });
    return { slack, web };
}

test('the real Web API client posts, edits, uploads and opens a window', async (t) => {
    const { slack, web } = await open(t);
    const { ts, channel } = await web.chat.postMessage({ channel: 'C0OPS', text: 'Deploy?', blocks });
    await web.chat.update({ channel, ts, text: 'Allowed', blocks: [] });
    assert.equal(slack.messages({ channel })[0].text, 'Allowed');
    assert.equal(slack.messages({ channel })[0].history.length, 1);
    await web.chat.postEphemeral({ channel, user: 'U1', text: 'no' });
    assert.equal(slack.messages({ ephemeral: true })[0].ephemeral, 'U1');
    await web.files.uploadV2({ channel_id: channel, filename: 'a.txt', content: 'all of it' });
    assert.equal(slack.messages({ channel }).at(-1).file.content, 'all of it');
    await assert.rejects(web.chat.postMessage({ channel: 'C0OTHER', text: 'x' }), /channel_not_found/);
    await assert.rejects(web.chat.postMessage({ channel, text: 'x', blocks: [{ type: 'nothing' }] }), /invalid_blocks/);
    slack.fail('chat.postMessage', { status: 429, error: 'ratelimited', headers: { 'retry-after': '1' } });
    await assert.rejects(
        new WebClient(slack.botToken, { slackApiUrl: `${slack.url}/`, rejectRateLimitedCalls: true }).chat.postMessage({
            channel,
            text: 'x',
        }),
    );
});

test('the real Web API client reads scopes and channels, and hears which scope or token is missing', async (t) => {
    const slack = await SlackSimulator.start({
        channels: ['C0OPS', { id: 'C0ALL', name: 'general' }, { id: 'C0KEY', name: 'keys', secret: true }],
    });
    t.after(() => slack.close());
    const web = new WebClient(slack.botToken, { slackApiUrl: `${slack.url}/`, retryConfig: { retries: 0 } });
    const { response_metadata: data } = await web.auth.test();
    assert.ok(data.scopes.includes('chat:write') && data.scopes.includes('groups:read'));
    const { channels } = await web.users.conversations({ types: 'public_channel,private_channel', limit: 100 });
    assert.deepEqual(
        channels.map(({ id }) => id),
        ['C0OPS'],
    );
    assert.equal((await web.conversations.info({ channel: 'C0ALL' })).channel.is_member, false);
    await assert.rejects(web.conversations.info({ channel: 'C0KEY' }), /channel_not_found/);
    await assert.rejects(web.chat.postMessage({ channel: 'C0ALL', text: 'x' }), /not_in_channel/);
    slack.scopes.delete('channels:read');
    await assert.rejects(web.conversations.info({ channel: 'C0ALL' }), ({ data: answer }) => {
        assert.equal(answer.error, 'missing_scope');
        assert.equal(answer.needed, 'channels:read');
        return true;
    });
    await assert.rejects(web.apps.connections.open(), /not_allowed_token_type/);
});

test('the real Bolt receiver accepts what it signs and refuses what it does not', async (t) => {
    const { slack, web } = await open(t);
    const seen = [];
    const receiver = new bolt.HTTPReceiver({ signingSecret: slack.signingSecret, endpoints: '/slack', port: 0 });
    const app = new bolt.App({
        token: slack.botToken,
        receiver,
        clientOptions: { slackApiUrl: `${slack.url}/` },
        logLevel: bolt.LogLevel.ERROR,
    });
    app.action('d', async ({ ack, body, client }) => {
        await ack();
        const view = {
            type: 'modal',
            callback_id: 'reason',
            title: { type: 'plain_text', text: 'Deny' },
            submit: { type: 'plain_text', text: 'Deny' },
            blocks: [
                {
                    type: 'input',
                    block_id: 'reason',
                    label: { type: 'plain_text', text: 'Reason' },
                    element: { type: 'plain_text_input', action_id: 'field' },
                },
            ],
        };
        await client.views.open({ trigger_id: body.trigger_id, view });
        seen.push(['action', body.user.id, body.actions[0].value]);
    });
    app.view('reason', async ({ ack, view }) => {
        await ack({ response_action: 'clear' });
        seen.push(['view', view.state.values.reason.field.value]);
    });
    app.command('/approve', async ({ ack, command }) => {
        await ack({ response_type: 'ephemeral', text: `got ${command.text}` });
    });
    app.message(async ({ message }) => {
        seen.push(['message', message.text]);
    });
    const server = await app.start(0);
    t.after(() => app.stop());
    slack.webhook = `http://127.0.0.1:${server.address().port}/slack`;

    await web.chat.postMessage({ channel: 'C0OPS', text: 'Deploy?', blocks });
    const [message] = slack.messages();
    assert.equal((await slack.press({ user: 'U1', message, label: 'Allow' })).status, 200);
    const view = await until('the window', () => slack.views[0]);
    const values = { reason: { field: { type: 'plain_text_input', value: 'no' } } };
    assert.deepEqual((await slack.submit({ user: 'U1', view, values })).body, { response_action: 'clear' });
    const { body } = await slack.slash({ user: 'U1', channel: 'C0OPS', command: '/approve', text: 'K7' });
    assert.equal(body.text, 'got K7');
    assert.equal((await slack.say({ user: 'U1', channel: 'C0OPS', text: 'a < b' })).status, 200);
    await until('all of it', () => seen.length === 3);
    assert.deepEqual(seen, [
        ['action', 'U1', 'x'],
        ['view', 'no'],
        ['message', 'a &lt; b'],
    ]);
    const forged = await slack.press({ user: 'U1', message, label: 'Allow', signed: { secret: 'another' } });
    assert.equal(forged.status, 401);
    const old = String(Math.floor(Date.now() / 1000) - 301);
    assert.equal((await slack.press({ user: 'U1', message, label: 'Allow', signed: { timestamp: old } })).status, 401);
});

test('the real Socket Mode client connects, acknowledges, and follows a disconnect', async (t) => {
    const { slack, web } = await open(t);
    const client = new SocketModeClient({
        appToken: slack.appToken,
        clientOptions: { slackApiUrl: `${slack.url}/` },
        logLevel: 'error',
    });
    const seen = [];
    client.on('interactive', async ({ body, ack }) => {
        await ack();
        seen.push(body.actions[0].value);
    });
    client.on('slash_commands', async ({ body, ack }) => {
        await ack({ text: `got ${body.text}` });
    });
    await client.start();
    t.after(() => client.disconnect());
    await web.chat.postMessage({ channel: 'C0OPS', text: 'Deploy?', blocks });
    const [message] = slack.messages();
    await slack.press({ user: 'U1', message, label: 'Allow' });
    await until('the press', () => seen.length === 1);
    const { body } = await slack.slash({ user: 'U1', channel: 'C0OPS', command: '/approve', text: 'K7' });
    assert.equal(body.text, 'got K7');
    const [first] = slack.sockets;
    slack.disconnect('refresh_requested');
    await until('a new connection', () => slack.sockets.some((s) => s !== first && s.readyState === s.OPEN));
    await until('the old one closed', () => !slack.sockets.includes(first));
    await slack.press({ user: 'U1', message, label: 'Allow' });
    await until('the second press', () => seen.length === 2);
});

test("every golden card and window fits Slack's own types and lengths", () => {
    const folder = new URL('../channels/golden/', import.meta.url);
    const files = readdirSync(folder).filter((name) => name.startsWith('slack_'));
    assert.ok(files.length >= 6);
    for (const file of files) {
        for (const { method, body } of JSON.parse(readFileSync(new URL(file, folder), 'utf8'))) {
            const problem = method === 'views.open' ? problemOfView(body.view) : problemOfBlocks(body.blocks);
            assert.equal(problem, null, `${file}: ${problem}`);
        }
    }
});
