// SPDX-License-Identifier: Apache-2.0
// The same approval on Slack, by Socket Mode and by webhook: the real program against the simulator that Slack's own
// packages have proved.
import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from './bench.mjs';
import { answered, ask } from './serving.mjs';
import { alice, card, cards, channel, ended, mallory, openWorld, slackMax } from './slack_world.mjs';

for (const webhook of [false, true]) {
    const how = webhook ? 'a webhook' : 'Socket Mode';

    test(`a click by ${how} decides, and a stranger's does not`, async (t) => {
        const here = await openWorld(t, { webhook });
        const { slack, world, hub } = here;
        const agent = ask(world);
        const message = await card(here);
        const refused = await slack.press({ user: mallory, message, label: 'Allow' });
        assert.equal(refused.body, '');
        const words = await until('a refusal', () => slack.messages({ ephemeral: true })[0]);
        assert.equal(words.ephemeral, mallory);
        assert.match(words.text, /slack:T0\/U666/);
        assert.equal(agent.answer(), '');
        const { took } = await slack.press({ user: alice, message, label: 'Allow' });
        assert.ok(took < slackMax);
        await answered(agent, 'allow_once', hub);
        assert.match(await ended(here, message), /Allowed.* by alice on desk/);
        assert.deepEqual(
            slack.journal.filter((entry) => entry.refused),
            [],
        );
    });

    test(`a reason is typed into a window by ${how}`, async (t) => {
        const here = await openWorld(t, { webhook });
        const { slack, world, hub } = here;
        const agent = ask(world);
        const message = await card(here);
        await slack.press({ user: alice, message, label: 'Deny…' });
        const view = await until('a window', () => slack.views[0], { status: () => hub.story() });
        const values = { reason: { field: { type: 'plain_text_input', value: 'not on a Friday' } } };
        const { body } = await slack.submit({ user: alice, view, values });
        assert.equal(body.response_action, 'update');
        await answered(agent, 'reject_once', hub);
        assert.match(JSON.stringify((await ended(here, message)) && message.blocks), /not on a Friday/);
    });

    test(`a slash command by ${how} is answered in its reply`, async (t) => {
        const here = await openWorld(t, { webhook });
        const { slack, world, hub } = here;
        const agent = ask(world);
        const message = await card(here);
        const code = /\/deny ([0-9A-Z]{8})/.exec(JSON.stringify(message.blocks))[1];
        const { body } = await slack.slash({ user: alice, channel, command: '/countersign', text: `deny ${code} no` });
        assert.equal(body.response_type, 'ephemeral');
        assert.match(body.text, /Denied/);
        await answered(agent, 'reject_once', hub);
    });
}

test('a connection that Slack replaces loses no click', async (t) => {
    const here = await openWorld(t);
    const { slack, world, hub } = here;
    const agent = ask(world);
    const message = await card(here);
    const [first] = slack.sockets;
    slack.disconnect('link_warning', 0);
    await slack.press({ user: alice, message, label: 'Allow' });
    await answered(agent, 'allow_once', hub);
    await until('the old connection to end', () => !slack.sockets.includes(first), { status: () => hub.story() });
});

test('a long call goes ahead as a file, and a 429 on edits holds back no card', async (t) => {
    const here = await openWorld(t);
    const { slack, world, hub } = here;
    const long = ask(world, '01HZXAAAAAAAAAAAAAAAAAAAA1', { command: `echo ${'x '.repeat(8000)}` });
    const message = await card(here);
    const [file] = slack.messages({ channel }).filter((m) => m.file);
    assert.ok(file.file.content.includes('x '.repeat(8000).trim()));
    slack.fail('chat.update', { status: 429, error: 'ratelimited', headers: { 'retry-after': '1' } });
    await slack.press({ user: alice, message, label: 'Deny' });
    await answered(long, 'reject_once', hub);
    const next = ask(world, '01HZXAAAAAAAAAAAAAAAAAAAA2', { command: 'ls' });
    await slack.press({ user: alice, message: await card(here), label: 'Allow' }).catch(() => {});
    await until('the next card', () => cards(slack).length > 0);
    assert.match(await ended(here, message), /Denied/);
    const second = cards(slack).at(-1);
    if (second) await slack.press({ user: alice, message: second, label: 'Allow' });
    await answered(next, 'allow_once', hub);
});
