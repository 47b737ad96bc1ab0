// SPDX-License-Identifier: Apache-2.0
// How updates come in, and what is in the way of it.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { alice, openWorld } from './approval_world.mjs';
import { until } from './bench.mjs';
import { answered, ask, portOf, serve } from './serving.mjs';

const says = (program, words) =>
    until(words, () => [...program.out, ...program.err].some((line) => line.includes(words)), {
        within: 30_000,
        status: () => program.story(),
    });
const set = (world, settings) =>
    fetch(`${world.bench.simulator.url}/bot${world.bench.simulator.token}/setWebhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(settings),
    });

test('two hubs with one bot: the one that loses says what is in its way', async (t) => {
    const world = await openWorld(t);
    const first = await serve(world);
    const state = join(world.bench.directory, 'second');
    mkdirSync(state, { mode: 0o700 });
    await serve(world, { state });
    await says(first, 'another process polls this bot');
});

test('a webhook in the way of polling is explained, and not taken away', async (t) => {
    const world = await openWorld(t);
    const hub = await serve(world);
    assert.equal((await set(world, { url: 'http://127.0.0.1:9/of/somebody' })).status, 200);
    await says(hub, 'a webhook is set for this bot');
    assert.equal(world.bench.simulator.webhook.info().url, 'http://127.0.0.1:9/of/somebody');
    assert.deepEqual(world.bench.simulator.calls('deleteWebhook'), []);
});

test('a group that becomes a supergroup is followed by what Telegram says, before a send fails', async (t) => {
    const world = await openWorld(t, { group: true });
    const hub = await serve(world);
    world.bench.simulator.migrate({ from: -100200, to: -1009000 });
    await says(hub, 'the group -100200 has become -1009000');
    world.chat = -1009000;
    const agent = ask(world);
    const card = await world.card(agent.program);
    assert.ok(world.bench.simulator.calls('sendMessage').every(({ ok }) => ok), 'no send failed');
    world.tap(card, 'Allow');
    await until('the answer', () => agent.answer().includes('allow_once'), { status: () => hub.story() });
});

test('I5 a delivery that comes again by the webhook is answered like the first, and changes nothing', async (t) => {
    const world = await openWorld(t, { webhook: true });
    const hub = await serve(world);
    const url = `http://127.0.0.1:${portOf(hub)}/webhooks/telegram/phone`;
    assert.equal((await set(world, { url, secret_token: world.secret })).status, 200);
    const agent = ask(world);
    const card = await world.card(agent.program);
    const tap = world.tap(card, 'Deny', alice);
    await until('the answer', () => agent.answer().includes('reject_once'), { status: () => hub.story() });
    const { simulator } = world.bench;
    const answers = () => simulator.calls('answerCallbackQuery').length;
    const of = () => simulator.webhook.deliveries.filter(({ update_id: id }) => id === tap.update_id);
    await until('the delivery', () => of().length === 1 && answers() === 1);
    simulator.replay(tap.update_id);
    await until('the replay', () => of().length === 2);
    assert.deepEqual(of().map(({ status }) => status), [200, 200]);
    assert.equal(answers(), 1, 'no second answer');
    world.eachRequestEndsOnce();
});

for (const webhook of [true, false]) {
    const way = webhook ? 'a webhook' : 'polling';
    test(`I13 an update that is too large for ${way} is recorded and holds back no later one`, async (t) => {
        const world = await openWorld(t, { webhook });
        const { simulator } = world.bench;
        const hub = await serve(world);
        const url = webhook && `http://127.0.0.1:${portOf(hub)}/webhooks/telegram/phone`;
        if (webhook) assert.equal((await set(world, { url, secret_token: world.secret })).status, 200);
        const agent = ask(world);
        await world.card(agent.program);
        simulator.say({ user: alice, text: '/pending' });
        await until('the list', () => simulator.calls('sendMessage').length === 2); // so that polling has an offset
        const { update_id: large } = simulator.say({ user: alice, text: 'x'.repeat((webhook ? 1 : 8) * 1024 * 1024) });
        simulator.say({ user: alice, text: 'halt dev' });
        await answered(agent, 'halted by alice', hub);
        const refused = await until('the record', () => world.record('refused'));
        assert.deepEqual([refused.why, refused.channel], ['too_large', 'phone']);
        if (!webhook) return;
        const tries = simulator.webhook.deliveries.filter(({ update_id: id }) => id === large);
        assert.deepEqual(tries.map(({ status }) => status), [200]);
        const body = 'x'.repeat(1024 * 1024 + 1);
        const headers = { 'x-telegram-bot-api-secret-token': `${world.secret}x` };
        assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 401);
    });
}
