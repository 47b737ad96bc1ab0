// SPDX-License-Identifier: Apache-2.0
// Who sees a request, and where: topics, mentions, and the thread of a session.
import assert from 'node:assert/strict';
import test from 'node:test';
import { alice, openWorld } from './approval_world.mjs';
import { until } from './bench.mjs';
import { bash } from './mock_llm.mjs';

const called = ({ text, entities }) =>
    entities
        .filter(({ type }) => type === 'text_mention')
        .map(({ offset, length, user }) => [text.slice(offset, offset + length), user.id]);

test('I10 in a topic of a group: the deciders are called, a tap decides, and the session stays together', async (t) => {
    const world = await openWorld(t, { group: true, topic: 12 });
    const program = world.run('topic', [[bash('touch first')], [bash('touch second')]]);
    const first = await world.card(program);
    assert.equal(first.topic, 12);
    assert.deepEqual(called(first), [['alice', alice]]);
    world.tap(first, 'Allow once');
    const ended = await world.concluded(first, program);
    assert.match(ended, /Allowed .*by alice on phone after .*\nat .*\nrecord \d+, anchor \d+ [0-9a-f]{16}\n/);

    const second = await world.card(program, ({ text }) => text.includes('touch second'));
    assert.equal(second.topic, 12);
    assert.equal(second.reply_to, first.message_id, 'it answers the first message of the session');
    world.tap(second, 'Deny');
    await world.ends(program);
    const line = await until('the line of the end', () =>
        world.bench.simulator.messages({ chat: world.chat }).find(({ text }) => text.includes('session ended')),
    );
    assert.equal(line.reply_to, first.message_id);
    assert.equal(line.topic, 12);
    assert.deepEqual(line.keyboard, []);
    world.verifies();
    assert.match(world.record('presented').ref, /^phone\/-100200\/12\/\d+#0$/);
});

test('a first message that was deleted stops nothing, and a route may call nobody', async (t) => {
    const world = await openWorld(t, { group: true, extra: 'mention = false\nremind = "never"' });
    const program = world.run('deleted', [[bash('touch first')], [bash('touch second')]]);
    const first = await world.card(program);
    assert.deepEqual(called(first), []);
    world.tap(first, 'Allow once');
    world.bench.simulator.world.known(world.chat).messages.get(first.message_id).deleted = true;
    const second = await world.card(program, ({ text }) => text.includes('touch second'));
    assert.equal(second.reply_to, undefined);
    world.tap(second, 'Allow once');
    await world.ends(program);
    world.verifies();
});
