// SPDX-License-Identifier: Apache-2.0
// What goes wrong with Slack, and what people and agents see of it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from './bench.mjs';
import { answered, ask, command, onSlowDisk } from './serving.mjs';
import { alice, card, cards, channel, ended, mallory, openWorld, slackMax } from './slack_world.mjs';

const idOf = (n) => `01HZXAAAAAAAAAAAAAAAAAAAA${n}`;
const reasonFor = (words) => ({ reason: { field: { type: 'plain_text_input', value: words } } });

for (const webhook of [false, true]) {
    const how = webhook ? 'a webhook' : 'Socket Mode';

    test(`a click by ${how} is acknowledged while the log is slow, and the result still arrives`, async (t) => {
        const here = await openWorld(t, { webhook, wrap: onSlowDisk });
        const { slack, world, hub } = here;
        const agent = ask(world);
        const message = await card(here);
        const { took } = await slack.press({ user: alice, message, label: 'Allow' });
        assert.ok(took < slackMax, `${took} ms`);
        assert.equal(agent.answer(), '', 'nothing is forwarded before it is on disk');
        assert.ok(slack.labels(message).length > 0, 'nor is anything promised');
        await answered(agent, 'allow_once', hub, 60_000);
        assert.match(await ended(here, message), /Allowed.* by alice/);
    });

    test(`a reason that is submitted by ${how} after the decision hears who decided`, async (t) => {
        const here = await openWorld(t, { webhook });
        const { slack, world, hub } = here;
        const agent = ask(world);
        const message = await card(here);
        await slack.press({ user: alice, message, label: 'Deny…' });
        const view = await until('a window', () => slack.views[0], { status: () => hub.story() });
        await slack.press({ user: alice, message, label: 'Allow' });
        await answered(agent, 'allow_once', hub);
        const { body } = await slack.submit({ user: alice, view, values: reasonFor('too late') });
        assert.match(JSON.stringify(body), /Too late/);
        assert.doesNotMatch(await ended(here, message), /too late/);
    });

    test(`the same delivery twice by ${how} decides once`, async (t) => {
        const here = await openWorld(t, { webhook });
        const { slack, world, hub } = here;
        const first = ask(world);
        const message = await card(here);
        await slack.press({ user: alice, message, label: 'Deny' });
        await answered(first, 'reject_once', hub);
        await ended(here, message);
        const second = ask(world, idOf(2));
        const next = await until('the next card', () => cards(slack)[0], { status: () => hub.story() });
        await slack.again();
        await slack.again();
        assert.ok(slack.labels(next).length > 0);
        assert.equal(second.answer(), '');
        await slack.press({ user: alice, message: next, label: 'Allow' });
        await answered(second, 'allow_once', hub);
        const records = command(world, 'audit', 'tail', '--json', '-n', '1000').trim().split('\n').map(JSON.parse);
        assert.equal(records.filter(({ kind }) => kind === 'decision').length, 2);
    });
}

test('a connection that is cut in the middle of a click: Slack brings it again, and it decides once', async (t) => {
    const here = await openWorld(t);
    const { slack, world, hub } = here;
    const status = () => hub.story();
    const agent = ask(world);
    const message = await card(here);
    const before = [...slack.sockets];
    const pressed = slack.press({ user: alice, message, label: 'Allow' });
    pressed.catch(() => {}); // the acknowledgement may be lost with the connection
    before.forEach((socket) => socket.terminate());
    const isNew = (socket) => !before.includes(socket);
    await until('new connections', () => slack.sockets.filter(isNew).length === 2, { status });
    await slack.again();
    await answered(agent, 'allow_once', hub);
    assert.match(await ended(here, message), /Allowed.* by alice/);
    const records = command(world, 'audit', 'tail', '--json', '-n', '1000').trim().split('\n').map(JSON.parse);
    assert.equal(records.filter(({ kind }) => kind === 'decision').length, 1);
});

test('a window that came too late for Slack is told to the operator, and opens at the next click', async (t) => {
    const here = await openWorld(t);
    const { slack, world, hub } = here;
    const agent = ask(world);
    const message = await card(here);
    slack.fail('views.open', { error: 'expired_trigger_id' });
    await slack.press({ user: alice, message, label: 'Deny…' });
    const isTold = () => hub.out.some((line) => /desk.*window.*expired_trigger_id/.test(line));
    await until('a line for the operator', isTold, { status: () => hub.story() });
    assert.equal(agent.answer(), '');
    await slack.press({ user: alice, message, label: 'Deny…' });
    const view = await until('a window', () => slack.views[0], { status: () => hub.story() });
    await slack.submit({ user: alice, view, values: reasonFor('not today') });
    await answered(agent, 'not today', hub);
});

test('a 429 on cards holds back no answer and no edit', async (t) => {
    const here = await openWorld(t);
    const { slack, world, hub } = here;
    const agent = ask(world);
    const message = await card(here);
    slack.fail('chat.postMessage', { status: 429, error: 'ratelimited', headers: { 'retry-after': '600' } });
    const held = ask(world, idOf(2), { command: 'ls 2' });
    await until('the 429', () => slack.failed.length === 1, { status: () => hub.story() });
    await slack.press({ user: mallory, message, label: 'Allow' });
    await until('a refusal', () => slack.messages({ ephemeral: true })[0]);
    await slack.press({ user: alice, message, label: 'Deny' });
    await answered(agent, 'reject_once', hub);
    assert.match(await ended(here, message), /Denied/);
    const posts = slack.journal.filter(({ method }) => method === 'chat.postMessage');
    assert.equal(posts.length, 1, 'no card is tried before the time is over');
    held.program.signal('SIGKILL');
});

test('a card that somebody deleted stops nothing: the request is answered by its code', async (t) => {
    const here = await openWorld(t);
    const { slack, world, hub } = here;
    const agent = ask(world);
    const message = await card(here);
    const code = /\/deny ([0-9A-Z]{8})/.exec(JSON.stringify(message.blocks))[1];
    slack.remove(message);
    const act = { user: alice, channel, command: '/countersign', text: `approve ${code}` };
    const { body } = await slack.slash(act);
    assert.match(body.text, /Allowed/);
    await answered(agent, 'allow_once', hub);
    const next = ask(world, idOf(2));
    const shown = await until('the next card', () => cards(slack).find((m) => !m.deleted));
    await slack.press({ user: alice, message: shown, label: 'Deny' });
    await answered(next, 'reject_once', hub);
});

test('an app that was removed from the workspace is said aloud, and nothing is allowed', async (t) => {
    const here = await openWorld(t, { route: 'timeout = "1m"' });
    const { slack, world, hub } = here;
    slack.uninstall();
    const agent = ask(world);
    await answered(agent, 'undeliverable', hub);
    assert.doesNotMatch(agent.answer(), /allow_once/);
    const isTold = () => hub.out.some((line) => /desk/.test(line) && /token/.test(line));
    await until('a line for the operator', isTold, { status: () => hub.story() });
});

test('a person who left the workspace is no obstacle: the route goes on to its next step', async (t) => {
    const later = `{ channel = "desk", after = "5m", chat = "${channel}" }`;
    const here = await openWorld(t, { steps: `{ channel = "desk", people = ["alice"] }, ${later}` });
    const { slack, world, hub } = here;
    slack.left.add(alice);
    const agent = ask(world);
    const message = await card(here);
    assert.equal(message.channel, channel);
    slack.left.delete(alice);
    await slack.press({ user: alice, message, label: 'Deny' });
    await answered(agent, 'reject_once', hub);
});
