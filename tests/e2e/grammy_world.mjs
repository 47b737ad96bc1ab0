// SPDX-License-Identifier: Apache-2.0
// A simulator with a few people in it and grammY, the real client library, pointed at it.
import assert from 'node:assert/strict';
import { Bot } from 'grammy';
import { TelegramSimulator } from './telegram_simulator.mjs';

export const alice = 77;
export const ops = -1001234567890;
export const allowDeny = {
    inline_keyboard: [
        [
            { text: 'Allow', callback_data: 'a', style: 'success' },
            { text: 'Deny', callback_data: 'd', style: 'danger' },
        ],
    ],
};

export async function openWorld(t, options = {}) {
    const simulator = await TelegramSimulator.start({ frozen: true, ...options.simulator });
    t.after(() => simulator.close());
    simulator.addUser({ id: alice, first_name: 'Alice', username: 'alice', language_code: 'en' });
    simulator.addUser({ id: 78, first_name: 'Bob' });
    simulator.addChat({ id: ops, title: 'Ops' });
    const bot = new Bot(simulator.token, { client: { apiRoot: simulator.url, ...options.client } });
    bot.catch(() => {});
    return { simulator, bot, api: bot.api, raw: bot.api.raw };
}

// A call that Telegram refuses with this code and these words.
export const refused = (promise, code, words) =>
    assert.rejects(promise, (error) => {
        assert.equal(error.error_code, code, error.message);
        assert.match(error.description, words);
        return true;
    });
