// SPDX-License-Identifier: Apache-2.0
// What Telegram refuses, the simulator refuses, in the same words; seen through grammY.
import assert from 'node:assert/strict';
import test from 'node:test';
import { InputFile } from 'grammy';
import { alice, allowDeny, openWorld, ops, refused } from './grammy_world.mjs';

const button = (fields) => ({ reply_markup: { inline_keyboard: [[fields]] } });

// name, what is sent, the words of the refusal
const bodies = [
    [
        'an unknown field',
        { text: 'x', silent: true },
        /strict: sendMessage: body must NOT have additional properties \("silent"\)/,
    ],
    ['a field of the wrong type', { text: 'x', disable_notification: 'yes' }, /strict: .*must be boolean/],
    ['the ephemeral fields of an older API', { text: 'x', receiver_user_id: 77 }, /strict: .*receiver_user_id/],
    ['an empty text', { text: '' }, /^Bad Request: message text is empty$/],
    ['a text of blanks', { text: ' \n\t ' }, /^Bad Request: text must be non-empty$/],
    ['a text of 4097 units', { text: 'x'.repeat(4097) }, /^Bad Request: message is too long$/],
    ['a text of 2049 pairs', { text: '😀'.repeat(2049) }, /^Bad Request: message is too long$/],
    [
        'callback data of 65 bytes',
        { text: 'x', ...button({ text: 'A', callback_data: `${'é'.repeat(32)}x` }) },
        /^Bad Request: BUTTON_DATA_INVALID$/,
    ],
    [
        'empty callback data',
        { text: 'x', ...button({ text: 'A', callback_data: '' }) },
        /can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard$/,
    ],
    [
        'a button without a text',
        { text: 'x', ...button({ text: '', callback_data: 'a' }) },
        /^Bad Request: inline keyboard button text must be non-empty$/,
    ],
    [
        'a style that does not exist',
        { text: 'x', ...button({ text: 'A', callback_data: 'a', style: 'red' }) },
        /can't parse inline keyboard button: invalid button style specified$/,
    ],
    [
        'two kinds in one button',
        { text: 'x', ...button({ text: 'A', callback_data: 'a', url: 'https://x.example' }) },
        /strict: /,
    ],
    [
        'a keyboard of 101 buttons',
        { text: 'x', reply_markup: { inline_keyboard: Array(101).fill([{ text: 'A', callback_data: 'a' }]) } },
        /^Bad Request: reply markup is too long$/,
    ],
    [
        'an entity past the end',
        { text: 'abc', entities: [{ type: 'code', offset: 1, length: 3 }] },
        /entity beginning at UTF-16 offset 1 ends after the end of the text at UTF-16 offset 4$/,
    ],
    [
        'an entity that begins after the end',
        { text: 'abc', entities: [{ type: 'code', offset: 3, length: 1 }] },
        /entity begins after the end of the text at UTF-16 offset 3$/,
    ],
    [
        'an entity before the beginning',
        { text: 'abc', entities: [{ type: 'code', offset: -1, length: 1 }] },
        /receive an entity with incorrect offset -1$/,
    ],
    [
        'an entity of negative length',
        { text: 'abc', entities: [{ type: 'code', offset: 1, length: -1 }] },
        /receive an entity with incorrect length -1$/,
    ],
    [
        'an entity that begins inside a pair',
        { text: '😀x', entities: [{ type: 'code', offset: 1, length: 2 }] },
        /entity begins in a middle of a UTF-16 symbol at byte offset 4$/,
    ],
    [
        'an entity that ends inside a pair',
        { text: 'x😀', entities: [{ type: 'code', offset: 0, length: 2 }] },
        /entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol at byte offset 5$/,
    ],
    ['an unknown kind of entity', { text: 'abc', entities: [{ type: 'huge', offset: 0, length: 1 }] }, /strict: /],
    ['markup that a parser would read', { text: '<b>x</b>', parse_mode: 'HTML' }, /strict: markup is not simulated/],
    [
        'a thread in a chat without threads',
        { text: 'x', message_thread_id: 5 },
        /^Bad Request: message thread not found$/,
    ],
    [
        'a reply to no message',
        { text: 'x', reply_parameters: { message_id: 999 } },
        /^Bad Request: message to be replied not found$/,
    ],
];
for (const [name, body, words] of bodies) {
    test(`refused: ${name}`, async (t) => {
        const { simulator, raw } = await openWorld(t);
        await refused(raw.sendMessage({ chat_id: ops, ...body }), 400, words);
        assert.deepEqual(simulator.messages(), [], 'nothing was posted');
    });
}

test('the longest text, callback data and entities are accepted', async (t) => {
    const { simulator, api } = await openWorld(t);
    await api.sendMessage(ops, '😀'.repeat(2048), {
        ...button({ text: 'A', callback_data: 'é'.repeat(32) }),
        entities: [{ type: 'pre', offset: 0, length: 4096 }],
    });
    assert.equal(simulator.messages()[0].text.length, 4096);
});

test('refused: an edit that changes nothing', async (t) => {
    const { api } = await openWorld(t);
    const { message_id: id } = await api.sendMessage(ops, 'x', { reply_markup: allowDeny });
    await refused(
        api.editMessageText(ops, id, 'x\t', { reply_markup: allowDeny }),
        400,
        /^Bad Request: message is not modified: specified new message content and reply markup are exactly the same/,
    );
    await refused(api.editMessageReplyMarkup(ops, id, { reply_markup: allowDeny }), 400, /message is not modified/);
    await api.editMessageText(ops, id, 'x'); // the keyboard goes
    await refused(api.editMessageReplyMarkup(ops, id), 400, /message is not modified/);
});

test("refused: an edit of what is not there, is deleted, or is not the bot's", async (t) => {
    const { simulator, api } = await openWorld(t);
    const { message_id: said } = simulator.say({ user: alice, text: 'hello' });
    await refused(api.editMessageText(alice, 999, 'y'), 400, /^Bad Request: message to edit not found$/);
    await refused(api.editMessageText(alice, said, 'y'), 400, /^Bad Request: message can't be edited$/);
    const { message_id: id } = await api.sendMessage(alice, 'x');
    await api.deleteMessage(alice, id);
    await refused(api.editMessageText(alice, id, 'y'), 400, /^Bad Request: message to edit not found$/);
});

test('refused: a chat that is not known, and a person who never started the bot', async (t) => {
    const { simulator, api } = await openWorld(t);
    simulator.addUser({ id: 5, started: false });
    for (const chat of [4711, -1004711, 5])
        await refused(api.sendMessage(chat, 'x'), 400, /^Bad Request: chat not found$/);
});

test('refused: a person who blocked the bot, and a group that threw it out', async (t) => {
    const { simulator, api } = await openWorld(t);
    simulator.block(alice);
    simulator.block(ops);
    await refused(api.sendMessage(alice, 'x'), 403, /^Forbidden: bot was blocked by the user$/);
    await refused(api.sendMessage(ops, 'x'), 403, /^Forbidden: bot was kicked from the supergroup chat$/);
    simulator.unblock(alice);
    await api.sendMessage(alice, 'x');
});

test('refused: a group that became a supergroup, with its new id', async (t) => {
    const { simulator, api } = await openWorld(t);
    simulator.addChat({ id: -5, type: 'group', seesAll: true });
    simulator.migrate({ from: -5, to: -1005 });
    await assert.rejects(api.sendMessage(-5, 'x'), (error) => {
        assert.equal(error.description, 'Bad Request: group chat was upgraded to a supergroup chat');
        assert.deepEqual(error.parameters, { migrate_to_chat_id: -1005 });
        return true;
    });
    await api.sendMessage(-1005, 'x');
    assert.deepEqual(
        (await api.getUpdates()).map(({ message }) => message.migrate_to_chat_id ?? message.migrate_from_chat_id),
        [-1005, -5],
    );
});

test('refused: an answer to a tap that was answered, is older than 15 minutes, or was never made', async (t) => {
    const { simulator, api } = await openWorld(t);
    const words = /^Bad Request: query is too old and response timeout expired or query ID is invalid$/;
    const { message_id: message } = await api.sendMessage(alice, 'x', { reply_markup: allowDeny });
    const tap = () => simulator.tap({ user: alice, message, button: 'Allow' }).callback_query_id;
    const [first, second, third] = [tap(), tap(), tap()];
    await refused(api.answerCallbackQuery(first, { text: 'x'.repeat(201) }), 400, /^Bad Request: MESSAGE_TOO_LONG$/);
    await api.answerCallbackQuery(first, { text: 'x'.repeat(200) });
    await refused(api.answerCallbackQuery(first), 400, words);
    simulator.advance(15 * 60);
    await api.answerCallbackQuery(second);
    simulator.advance(1);
    await refused(api.answerCallbackQuery(third), 400, words);
    await refused(api.answerCallbackQuery('12'), 400, words);
});

test('a document is uploaded with its caption and keyboard; an empty one is refused', async (t) => {
    const { simulator, api } = await openWorld(t);
    const file = (text) => new InputFile(Buffer.from(text), 'call.txt');
    await api.sendDocument(ops, file('rm -rf ü\n'), { caption: 'whole call', reply_markup: allowDeny });
    const [card] = simulator.messages();
    assert.equal(card.document.content, 'rm -rf ü\n');
    assert.equal(card.document.file_name, 'call.txt');
    assert.equal(card.text, 'whole call');
    assert.deepEqual(card.keyboard, allowDeny.inline_keyboard);
    await refused(api.sendDocument(ops, file('')), 400, /^Bad Request: file must be non-empty$/);
    await refused(api.sendDocument(ops, file('x'), { caption: 'x'.repeat(1025) }), 400, /message caption is too long$/);
    await refused(api.sendDocument(ops, file('x'), { colour: 'red' }), 400, /strict: .*colour/);
});
