// SPDX-License-Identifier: Apache-2.0
// The contract with Telegram: every call that Countersign makes is the call that grammY, the real client library, makes
// for the same arguments. What the types and Telegram's own bounds refuse, the simulator refuses already.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Bot, InputFile } from 'grammy';
import { alice, openWorld } from './approval_world.mjs';
import { countersignBinary, until } from './bench.mjs';
import { bash, call } from './mock_llm.mjs';
import { TelegramSimulator } from './telegram_simulator.mjs';

const long = `touch ${Array.from({ length: 900 }, (_, i) => `line-${i}`).join(' ')}`;
const question = call('AskUserQuestion', {
    questions: [
        {
            question: 'Which sizes?',
            header: 'Sizes',
            multiSelect: true,
            options: [
                { label: 'S', description: 'small' },
                { label: 'L', description: 'large' },
            ],
        },
    ],
});

// A run that makes every kind of call: cards with and without a file, a refusal, lists, marks, ends.
async function everyCall(t) {
    const world = await openWorld(t, { group: true });
    const { simulator } = world.bench;
    const program = world.run('all', [[bash('touch made', 'Make <b>it</b> & go')], [bash(long)], [question]]);
    const first = await world.card(program, ({ text }) => text.includes('touch made'));
    await world.answered(world.tap(first, 'Allow once', 666));
    const listed = simulator.messages().length;
    simulator.say({ user: alice, chat: world.chat, text: '/pending' });
    await until('the list', () => simulator.messages().length > listed);
    world.tap(first, 'Allow once');
    await world.concluded(first, program);
    const second = await world.card(program, ({ text }) => !text.includes('touch made'));
    assert.ok(simulator.messages().some(({ document }) => document?.content.includes('line-899')));
    world.tap(second, 'Deny');
    await world.concluded(second, program);
    const third = await world.card(program, ({ text }) => text.includes('Which sizes?'));
    const choice = third.keyboard.flat().find(({ text }) => /L/.test(text));
    await world.answered(world.tap(third, choice.text));
    const submit = third.keyboard.flat().find(({ text }) => /Submit/.test(text));
    world.tap(third, submit.text);
    await world.concluded(third, program);
    await world.ends(program);
    await switchOver(world);
    return simulator;
}

// From polling to a webhook and back, by the command that does it.
async function switchOver(world) {
    for (const way of [['--webhook', 'http://127.0.0.1:9'], ['--poll']]) {
        const options = ['--config', world.config, '--state', world.bench.state];
        await world.ends(world.bench.start(countersignBinary(), ['setup', 'telegram', ...options, ...way]));
    }
}

// grammY makes the same calls in the same order, to a Telegram where the same people did the same before.
class Echo {
    constructor(original, simulator) {
        Object.assign(this, { original, simulator });
        this.raw = new Bot(simulator.token, { client: { apiRoot: simulator.url } }).api.raw;
        this.taps = [...original.taps()];
        this.files = original.messages().filter(({ document }) => document);
    }

    async make({ method, body, ok }) {
        if (method === 'getUpdates') return this.#poll(body);
        if (method === 'answerCallbackQuery') this.#tapUntil(body.callback_query_id);
        if (body.reply_parameters) this.#sayUntil(body.chat_id, body.reply_parameters.message_id);
        const payload = method === 'sendDocument' ? this.#withFile(body) : structuredClone(body);
        const made = ['getMe', 'getWebhookInfo'].includes(method) ? this.raw[method]() : this.raw[method](payload);
        if (ok) await made;
        else await assert.rejects(made, method);
    }

    // A poll would wait for updates; it is over as soon as it was seen.
    async #poll(body) {
        const seen = this.simulator.calls('getUpdates').length;
        const hangUp = new AbortController();
        const polled = this.raw.getUpdates(body, hangUp.signal).catch(() => {});
        await until('the poll', () => this.simulator.calls('getUpdates').length > seen);
        hangUp.abort();
        await polled;
    }
    #tapUntil(id) {
        while (!this.simulator.taps().some((tap) => tap.id === id)) {
            const { user, chat, message, data } = this.taps.shift();
            this.simulator.tap({ user, chat, message, data });
        }
    }
    #sayUntil(chat, message) {
        if (!this.simulator.world.known(chat).messages.has(message)) {
            this.simulator.say({ user: alice, chat, text: '/pending' });
        }
    }
    #withFile(body) {
        const { document } = this.files.shift();
        return { ...body, document: new InputFile(Buffer.from(document.content), document.file_name) };
    }
}

const shown = (simulator) =>
    simulator.messages().map(({ text, entities, keyboard, document, chat, message_id: id }) => ({
        ...{ text, entities, keyboard, chat, id },
        file: document && [document.file_name, document.content],
    }));
const callsOf = (simulator) =>
    simulator.journal.map(({ method, body: { document, ...body } }) => [method, body, document !== undefined]);

test('every call that Countersign makes is the one that grammY makes for the same arguments', async (t) => {
    const original = await everyCall(t);
    const made = new Set(original.journal.map(({ method }) => method));
    const switching = ['setWebhook', 'getWebhookInfo', 'deleteWebhook'];
    const talking = ['getMe', 'getUpdates', 'sendMessage', 'sendDocument', 'editMessageText', 'answerCallbackQuery'];
    for (const method of [...talking, ...switching])
        assert.ok(made.has(method), `${method} was not called`);
    const simulator = await TelegramSimulator.start();
    t.after(() => simulator.close());
    for (const { id, first_name } of original.world.users.values()) simulator.addUser({ id, first_name });
    simulator.addChat({ id: -100200, title: 'Ops', seesAll: true });
    const echo = new Echo(original, simulator);
    for (const entry of [...original.journal]) await echo.make(entry);
    assert.deepEqual(callsOf(simulator), callsOf(original));
    assert.deepEqual(shown(simulator), shown(original));
});
