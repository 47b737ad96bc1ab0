// SPDX-License-Identifier: Apache-2.0
// Failures on order, and the refusals that are about who asks and how often; seen through grammY.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Bot, HttpError } from 'grammy';
import { alice, openWorld, ops, refused } from './grammy_world.mjs';
import { until } from './until.mjs';

test('ordered: 429 with retry_after, as often as told', async (t) => {
    const { simulator, api } = await openWorld(t);
    simulator.fail({ method: 'sendMessage', kind: 'flood', retryAfter: 7, times: 2 });
    for (const _ of [1, 2]) {
        await assert.rejects(api.sendMessage(ops, 'x'), (error) => {
            assert.equal(error.error_code, 429);
            assert.equal(error.description, 'Too Many Requests: retry after 7');
            assert.deepEqual(error.parameters, { retry_after: 7 });
            return true;
        });
    }
    await api.sendMessage(ops, 'x');
    assert.deepEqual(
        simulator.calls('sendMessage').map(({ ok }) => ok),
        [false, false, true],
    );
});

test('ordered: a broken server answers with something that is no JSON', async (t) => {
    const { simulator, api } = await openWorld(t);
    simulator.fail({ method: 'sendMessage', kind: 'server', status: 502 });
    await assert.rejects(api.sendMessage(ops, 'x'), HttpError);
    const url = `${simulator.url}/bot${simulator.token}/getMe`;
    simulator.fail({ method: 'getMe', kind: 'server', status: 503 });
    assert.equal((await fetch(url, { method: 'POST' })).status, 503);
});

test('ordered: a dropped connection did nothing, a cut answer did everything', async (t) => {
    const { simulator, api } = await openWorld(t);
    simulator.fail({ method: 'sendMessage', kind: 'drop' });
    await assert.rejects(api.sendMessage(ops, 'x'), HttpError);
    assert.equal(simulator.messages().length, 0);
    simulator.fail({ method: 'sendMessage', kind: 'cut' });
    // Not with grammY: its fetch does not notice that the rest will not come.
    const answer = await fetch(`${simulator.url}/bot${simulator.token}/sendMessage`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ chat_id: ops, text: 'x' }),
    });
    await assert.rejects(answer.json());
    assert.equal(simulator.messages().length, 1);
});

test('ordered: no answer at all; the client gives up', async (t) => {
    const { simulator, api } = await openWorld(t);
    simulator.fail({ method: 'sendMessage', kind: 'hang' });
    const given = new AbortController();
    const waiting = api.sendMessage(ops, 'x', {}, given.signal);
    await until('the call to arrive', () => simulator.calls('sendMessage').length === 1);
    given.abort();
    await assert.rejects(waiting);
    assert.equal(simulator.messages().length, 0);
});

test('refused: the older of two polls', async (t) => {
    const { simulator, api } = await openWorld(t);
    const older = refused(
        api.getUpdates({ timeout: 50 }),
        409,
        /^Conflict: terminated by other getUpdates request; make sure/,
    );
    await until('the poll to arrive', () => simulator.updates.polling());
    const newer = api.getUpdates({ timeout: 50 });
    await older;
    simulator.say({ user: alice, text: 'hi' });
    assert.equal((await newer).length, 1);
});

test('refused: a poll while a webhook is set; setting one ends a running poll', async (t) => {
    const { simulator, api } = await openWorld(t);
    const running = refused(api.getUpdates({ timeout: 50 }), 409, /^Conflict: terminated by setWebhook request$/);
    await until('the poll to arrive', () => simulator.updates.polling());
    await api.setWebhook('https://x.example/tg');
    await running;
    await refused(
        api.getUpdates(),
        409,
        /^Conflict: can't use getUpdates method while webhook is active; use deleteWebhook/,
    );
    await api.deleteWebhook();
    assert.deepEqual(await api.getUpdates(), []);
});

test('refused: a secret with other characters, and a webhook without TLS', async (t) => {
    const { api } = await openWorld(t);
    await refused(
        api.setWebhook('https://x.example/', { secret_token: 'a b' }),
        400,
        /secret token contains unallowed characters$/,
    );
    await refused(
        api.setWebhook('https://x.example/', { secret_token: 'a'.repeat(257) }),
        400,
        /secret token is too long$/,
    );
    await refused(api.setWebhook('http://x.example/'), 400, /An HTTPS URL must be provided for webhook$/);
});

test('refused: another token, and a method that does not exist', async (t) => {
    const { simulator } = await openWorld(t);
    const stranger = new Bot('123456:another', { client: { apiRoot: simulator.url } });
    await refused(stranger.api.sendMessage(ops, 'x'), 401, /^Unauthorized$/);
    const answer = await fetch(`${simulator.url}/bot${simulator.token}/sendMessages`, { method: 'POST' });
    assert.deepEqual(await answer.json(), { ok: false, error_code: 404, description: 'Not Found: method not found' });
    assert.ok(!JSON.stringify(simulator.journal).includes(simulator.token), 'the journal holds no token');
});
