// SPDX-License-Identifier: Apache-2.0
// The simulator is proved with Telegram's users' own tool: an unchanged grammY bot works against it, by polling and by
// webhook, and what it sends is accepted.
import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import { webhookCallback } from 'grammy';
import { alice, allowDeny, openWorld, ops } from './grammy_world.mjs';
import { listen } from './loopback.mjs';
import { validateReceived } from './telegram_schema.mjs';
import { until } from './until.mjs';

// The bot of these tests: a tap is answered, and ends the card.
function decideOnTap(bot) {
    bot.on('callback_query:data', async (context) => {
        await context.answerCallbackQuery({ text: `got ${context.callbackQuery.data}` });
        await context.editMessageText(`Decided by ${context.from.first_name}`, {
            reply_markup: { inline_keyboard: [] },
        });
    });
}

// grammY's own handler behind a real HTTP server; a handler that throws is an answer of 500.
async function webhookOf(t, bot, secret) {
    const handle = webhookCallback(bot, 'http', { secretToken: secret });
    const server = await listen(
        http.createServer((request, response) => {
            handle(request, response).catch(() => response.writeHead(500).end());
        }),
    );
    t.after(() => server.close());
    return `http://127.0.0.1:${server.port}/tg`;
}

test('a grammY bot that polls gets a tap, answers it and edits the message', async (t) => {
    const { simulator, bot, api } = await openWorld(t);
    decideOnTap(bot);
    const running = bot.start();
    const { message_id: message } = await api.sendMessage(ops, 'Deploy?', { reply_markup: allowDeny });
    const { callback_query_id: id } = simulator.tap({ user: alice, chat: ops, message, button: 'Allow' });
    const card = await until('the edit', () =>
        simulator.messages({ chat: ops }).find(({ history }) => history.length > 1),
    );
    assert.equal(card.text, 'Decided by Alice');
    assert.deepEqual(card.keyboard, []);
    assert.deepEqual(simulator.taps().find((tap) => tap.id === id).answer, { text: 'got a', alert: false });
    await bot.stop();
    await running;
    assert.equal(simulator.updates.pending().length, 0, 'bot.stop() confirms what it got');
});

test('a grammY bot behind a webhook gets taps and texts with the secret, and in the order of each chat', async (t) => {
    const { simulator, bot, api } = await openWorld(t);
    const texts = [];
    decideOnTap(bot);
    bot.on('message:text', (context) => {
        texts.push(context.message.text);
    });
    await api.setWebhook(await webhookOf(t, bot, 's3cret_-'), { secret_token: 's3cret_-' });
    const { message_id: message } = await api.sendMessage(alice, 'Deploy?', { reply_markup: allowDeny });
    simulator.tap({ user: alice, message, button: 'Deny' });
    for (const text of ['one', 'two', 'three']) simulator.say({ user: alice, text });
    await until('all updates to be delivered', () => simulator.updates.pending().length === 0);
    assert.deepEqual(texts, ['one', 'two', 'three']);
    assert.equal(simulator.messages()[0].text, 'Decided by Alice');
});

test('an update that a webhook refuses is tried again, later ones of its chat wait, other chats do not', async (t) => {
    const { simulator, bot, api } = await openWorld(t);
    const texts = [];
    bot.on('message:text', ({ from, message }) => {
        if (from.id === alice && !texts.includes('from Bob')) throw new Error('not yet');
        texts.push(message.text);
    });
    await api.setWebhook(await webhookOf(t, bot, 's'), { secret_token: 's' });
    const first = simulator.say({ user: alice, text: 'one' }).update_id;
    simulator.say({ user: alice, text: 'two' });
    await until('a refusal', () => simulator.webhook.deliveries.length > 0);
    simulator.say({ user: 78, text: 'from Bob' });
    await until('all updates to be delivered', () => simulator.updates.pending().length === 0);
    assert.deepEqual(texts, ['from Bob', 'one', 'two']);
    const statuses = simulator.webhook.deliveries.filter((d) => d.update_id === first).map((d) => d.status);
    assert.deepEqual([statuses.at(0), statuses.at(-1)], [500, 200]);
    assert.match((await api.getWebhookInfo()).last_error_message, /500/);
});

test('a webhook with another secret refuses everything, and an expired tap is given up', async (t) => {
    const { simulator, bot, api } = await openWorld(t);
    let handled = 0;
    bot.use(() => {
        handled++;
    });
    await api.setWebhook(await webhookOf(t, bot, 'right'), { secret_token: 'wrong' });
    const { message_id: message } = await api.sendMessage(alice, 'Deploy?', { reply_markup: allowDeny });
    simulator.tap({ user: alice, message, button: 'Allow' });
    await until('two refusals', () => simulator.webhook.deliveries.length >= 2);
    simulator.advance(151);
    await until('the tap to be dropped', () => simulator.updates.pending().length === 0);
    assert.equal(handled, 0);
    assert.deepEqual([...new Set(simulator.webhook.deliveries.map((d) => d.status))], [401]);
});

test('a method call in the reply of a webhook is carried out', async (t) => {
    const { simulator, bot, api } = await openWorld(t, {
        client: { canUseWebhookReply: (method) => method === 'answerCallbackQuery' },
    });
    bot.on('callback_query', (context) => context.answerCallbackQuery({ text: 'by reply', show_alert: true }));
    await api.setWebhook(await webhookOf(t, bot, 's'), { secret_token: 's' });
    const { message_id: message } = await api.sendMessage(alice, 'Deploy?', { reply_markup: allowDeny });
    simulator.tap({ user: alice, message, button: 'Allow' });
    await until('the answer', () => simulator.taps()[0].answer);
    assert.deepEqual(simulator.taps()[0].answer, { text: 'by reply', alert: true });
    assert.equal(simulator.calls('answerCallbackQuery')[0].via, 'webhook reply');
});

test('the recorded requests of grammY are sent again byte for byte, and accepted', async (t) => {
    const { simulator, api } = await openWorld(t);
    simulator.addUser({ id: 1 });
    simulator.world.known(1).lastMessage = 41;
    simulator.world.lastQuery = 98;
    const kinds = ['message', 'callback_query'];
    const keyboard = {
        inline_keyboard: [
            [
                { text: 'Approve', callback_data: 'a:01HZX', style: 'success' },
                { text: 'Deny', callback_data: 'd:01HZX', style: 'danger' },
            ],
        ],
    };
    await api.sendMessage(1, 'Deploy?', {
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        reply_markup: keyboard,
    });
    simulator.tap({ user: alice, chat: 1, message: 42, button: 'Deny' });
    await api.editMessageText(1, 42, 'Approved', { reply_markup: { inline_keyboard: [] } });
    await api.answerCallbackQuery('99', { text: 'Not allowed', show_alert: true });
    await api.sendMessage(1, 'reply', { reply_parameters: { message_id: 42, allow_sending_without_reply: true } });
    assert.equal((await api.getUpdates({ offset: 5, timeout: 30, allowed_updates: kinds })).length, 1);
    await api.setWebhook('https://x.example/tg', { secret_token: 's', allowed_updates: kinds, max_connections: 10 });
    assert.deepEqual(
        simulator.journal.map(({ method, body }) => [method, JSON.stringify(body)]),
        [
            [
                'sendMessage',
                '{"chat_id":1,"text":"Deploy?","parse_mode":"HTML","link_preview_options":{"is_disabled":true},' +
                    '"reply_markup":{"inline_keyboard":[' +
                    '[{"text":"Approve","callback_data":"a:01HZX","style":"success"},' +
                    '{"text":"Deny","callback_data":"d:01HZX","style":"danger"}]]}}',
            ],
            [
                'editMessageText',
                '{"chat_id":1,"message_id":42,"text":"Approved","reply_markup":{"inline_keyboard":[]}}',
            ],
            ['answerCallbackQuery', '{"callback_query_id":"99","text":"Not allowed","show_alert":true}'],
            [
                'sendMessage',
                '{"chat_id":1,"text":"reply","reply_parameters":{"message_id":42,"allow_sending_without_reply":true}}',
            ],
            ['getUpdates', '{"offset":5,"timeout":30,"allowed_updates":["message","callback_query"]}'],
            [
                'setWebhook',
                '{"url":"https://x.example/tg","secret_token":"s","allowed_updates":["message","callback_query"],' +
                    '"max_connections":10}',
            ],
        ],
    );
    assert.ok(simulator.journal.every((entry) => entry.ok));
});

test('everything the simulator answers fits the types of Telegram', async (t) => {
    const { simulator, api } = await openWorld(t);
    const sent = await api.sendMessage(ops, 'a', {
        reply_markup: allowDeny,
        entities: [{ type: 'code', offset: 0, length: 1 }],
    });
    const reply = await api.sendMessage(ops, 'b', { reply_parameters: { message_id: sent.message_id } });
    const edited = await api.editMessageReplyMarkup(ops, sent.message_id);
    for (const message of [sent, reply, edited]) assert.equal(validateReceived('Message', message), null);
    assert.equal(validateReceived('Me', await api.getMe()), null);
    assert.equal(validateReceived('ChatFullInfo', await api.getChat(ops)), null);
    await api.setWebhook('https://x.example/tg');
    assert.equal(validateReceived('WebhookInfo', await api.getWebhookInfo()), null);
    assert.notEqual(validateReceived('Message', { ...sent, made_up: 1 }), null);
    assert.ok(simulator.journal.every((entry) => entry.ok));
});

test('a poll that comes again too soon is held for three seconds, and gets one update at a time', async (t) => {
    const { simulator, api } = await openWorld(t);
    assert.deepEqual(await api.getUpdates({ offset: 5 }), [], 'the first is answered at once');
    const began = performance.now();
    assert.deepEqual(await api.getUpdates({ offset: 5 }), []);
    assert.ok(performance.now() - began > 2500, 'the second is held');
    simulator.say({ user: alice, text: 'one' });
    simulator.say({ user: alice, text: 'two' });
    const held = performance.now();
    const [first] = await api.getUpdates({ offset: 5 });
    assert.ok(performance.now() - held < 1000, 'an update ends the wait');
    assert.equal((await api.getUpdates({ offset: 5 })).length, 1, 'and only one comes within half a second');
    assert.equal((await api.getUpdates({ offset: first.update_id + 1 })).length, 1, 'another offset is not held');
});
