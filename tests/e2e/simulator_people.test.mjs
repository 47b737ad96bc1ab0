// SPDX-License-Identifier: Apache-2.0
// What people do becomes the updates that Telegram would send, kept and confirmed as Telegram does it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { alice, allowDeny, openWorld, ops } from './grammy_world.mjs';
import { until } from './until.mjs';

test('an update comes again until its number is confirmed', async (t) => {
    const { simulator, api } = await openWorld(t);
    for (const text of ['one', 'two', 'three']) simulator.say({ user: alice, text });
    const texts = async (options) => (await api.getUpdates(options)).map((update) => update.message.text);
    const first = (await api.getUpdates({ limit: 2 }))[0].update_id;
    assert.deepEqual(await texts({ offset: first + 1 }), ['two', 'three']);
    assert.deepEqual(await texts({ offset: first + 1 }), ['two'], 'the same question again gets one at a time');
    assert.deepEqual(await texts({ offset: -1 }), ['three']);
    assert.deepEqual(await texts({ offset: first + 3 }), []);
});

test('only the kinds that the bot asked for are kept, also at later polls', async (t) => {
    const { simulator, api } = await openWorld(t);
    await api.getUpdates({ allowed_updates: ['callback_query'] });
    assert.equal(simulator.say({ user: alice, text: 'hi' }).update_id, null);
    const { message_id: message } = await api.sendMessage(alice, 'x', { reply_markup: allowDeny });
    simulator.tap({ user: alice, message, button: 'Allow' });
    assert.deepEqual(
        (await api.getUpdates()).map((update) => Object.keys(update)[1]),
        ['callback_query'],
    );
});

test('a tap lives 150 seconds, a text a day', async (t) => {
    const { simulator, api } = await openWorld(t);
    const { message_id: message } = await api.sendMessage(alice, 'x', { reply_markup: allowDeny });
    simulator.tap({ user: alice, message, button: 'Allow' });
    simulator.say({ user: alice, text: 'hi' });
    simulator.advance(150);
    assert.equal((await api.getUpdates()).length, 2);
    simulator.advance(1);
    assert.deepEqual(
        (await api.getUpdates()).map((update) => update.message?.text),
        ['hi'],
    );
    simulator.advance(24 * 3600);
    assert.deepEqual(await api.getUpdates(), []);
});

test('while the line is held nothing arrives; then all of it does', async (t) => {
    const { simulator, api } = await openWorld(t);
    simulator.hold();
    simulator.say({ user: alice, text: '/approve late', ago: 400 });
    assert.deepEqual(await api.getUpdates(), []);
    const waiting = api.getUpdates({ timeout: 50 });
    await until('the poll to arrive', () => simulator.updates.polling());
    simulator.release();
    const [{ message }] = await waiting;
    assert.equal(simulator.world.now() - message.date >= 400, true);
});

test('a replayed update is the same one again, although it was confirmed', async (t) => {
    const { simulator, api } = await openWorld(t);
    const { update_id: id } = simulator.say({ user: alice, text: 'once' });
    const [first] = await api.getUpdates();
    assert.deepEqual(await api.getUpdates({ offset: id + 1 }), []);
    simulator.replay(id);
    assert.deepEqual(await api.getUpdates({ offset: id + 1 }), [first]);
    assert.deepEqual(await api.getUpdates({ offset: id + 1 }), []);
});

test('a button can be tapped while it is there; forged data always can', async (t) => {
    const { simulator, api } = await openWorld(t);
    const { message_id: message } = await api.sendMessage(ops, 'x', { reply_markup: allowDeny });
    simulator.tap({ user: alice, chat: ops, message, button: { row: 0, column: 1 } });
    await api.editMessageReplyMarkup(ops, message);
    assert.throws(
        () => simulator.tap({ user: alice, chat: ops, message, button: 'Allow' }),
        /has no button "Allow"; it has: none/,
    );
    simulator.tap({ user: 78, chat: ops, message, data: 'forged' });
    const taps = (await api.getUpdates()).map((update) => update.callback_query);
    assert.deepEqual(
        taps.map(({ data, from }) => [data, from.id]),
        [
            ['d', alice],
            ['forged', 78],
        ],
    );
    assert.equal(taps[1].message.reply_markup, undefined);
});

test('a tap on a message that Telegram no longer shows has no text and no date', async (t) => {
    const { simulator, api } = await openWorld(t);
    const { message_id: message } = await api.sendMessage(ops, 'x', { reply_markup: allowDeny });
    simulator.tap({ user: alice, chat: ops, message, button: 'Allow', inaccessible: true });
    const [{ callback_query: tap }] = await api.getUpdates();
    assert.deepEqual(Object.keys(tap.message).sort(), ['chat', 'date', 'message_id']);
    assert.equal(tap.message.date, 0);
});

test('in a group the bot sees commands, mentions and replies to it, and no commands for another bot', async (t) => {
    const { simulator, api } = await openWorld(t);
    const { message_id: card } = await api.sendMessage(ops, 'x');
    const seen = (text, more) => simulator.say({ user: alice, chat: ops, text, ...more }).update_id !== null;
    assert.deepEqual(
        [
            seen('/approve A'),
            seen('/approve@countersign_bot A'),
            seen('@countersign_bot hi'),
            seen('no', { replyTo: card }),
        ],
        [true, true, true, true],
    );
    assert.deepEqual([seen('hello'), seen('/approve@other_bot A')], [false, false]);
    simulator.addChat({ id: -1002, seesAll: true });
    assert.notEqual(simulator.say({ user: alice, chat: -1002, text: '/approve@other_bot A' }).update_id, null);
    const [first] = await api.getUpdates();
    assert.deepEqual(first.message.entities, [{ type: 'bot_command', offset: 0, length: 8 }]);
});

test('an anonymous administrator writes as the group, and an edit arrives as an edit', async (t) => {
    const { simulator, api } = await openWorld(t);
    simulator.say({ chat: ops, text: '/approve A', anonymous: true });
    const { message_id: message } = simulator.say({ user: alice, text: 'hello' });
    simulator.edit({ chat: alice, message, text: '/approve A' });
    const updates = await api.getUpdates();
    assert.equal(updates[0].message.from.id, 1087968824);
    assert.equal(updates[0].message.sender_chat.id, ops);
    assert.equal(updates[2].edited_message.text, '/approve A');
    assert.ok(updates[2].edited_message.edit_date);
});

test('people see a text as Telegram cleans it, with the entities moved along', async (t) => {
    const { simulator, api } = await openWorld(t);
    const text = '  a\tb\r\u202ecd \n';
    await api.sendMessage(ops, text, { entities: [{ type: 'code', offset: text.indexOf('c'), length: 2 }] });
    const [card] = simulator.messages();
    assert.equal(card.text, 'a bcd');
    assert.deepEqual(card.entities, [{ type: 'code', offset: 3, length: 2 }]);
});

test('the control port does the same for a test in any language', async (t) => {
    const { simulator, api } = await openWorld(t);
    const control = async (command, body) => {
        const answer = await fetch(`${simulator.controlUrl}/${command}`, {
            method: 'POST',
            body: JSON.stringify(body ?? {}),
        });
        return answer.json();
    };
    await control('addUser', { id: 9, first_name: 'Carol' });
    await control('fail', { method: 'sendMessage', kind: 'flood', retryAfter: 3 });
    await assert.rejects(api.sendMessage(9, 'x'), /retry after 3/);
    const { message_id: message } = await api.sendMessage(9, 'x', { reply_markup: allowDeny });
    assert.deepEqual((await control('messages', { chat: 9 })).result[0].keyboard, allowDeny.inline_keyboard);
    const { result } = await control('tap', { user: 9, message, button: 'Allow' });
    assert.equal((await api.getUpdates())[0].update_id, result.update_id);
    assert.equal((await control('journal')).result.length, 3);
    assert.match((await control('tap', { user: 9, message, button: 'Maybe' })).error, /it has: "Allow", "Deny"/);
    assert.match((await control('explode')).error, /POST one of: messages, /);
});
