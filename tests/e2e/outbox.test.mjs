// SPDX-License-Identifier: Apache-2.0
// A Telegram that wants us to wait, loses answers or is away, and the real program before it. Minutes of it are in
// flood.test.mjs, hours in the unit tests.
import assert from 'node:assert/strict';
import test from 'node:test';
import { alice, openWorld } from './approval_world.mjs';
import { until } from './bench.mjs';
import { answered, ask, command, outbox, serve } from './serving.mjs';

const ids = [1, 2, 3].map((n) => `01HZXAAAAAAAAAAAAAAAAAAAA${n}`);
const patient = (hub, within = 60_000) => ({ within, every: 200, status: () => hub.story() });

test('a storm of 429: every card is shown once, in its turn, and every one of them is concluded', async (t) => {
    const world = await openWorld(t);
    const { simulator } = world.bench;
    const hub = await serve(world);
    simulator.fail({ method: 'sendMessage', kind: 'flood', retryAfter: 1, times: 4 });
    const agents = [];
    for (const id of ids) {
        agents.push(ask(world, id, { command: `ls ${id}` })); // calls of their own: the same one would share a card
        const recorded = () => world.records().some((r) => r.kind === 'request' && r.requestId === id);
        await until('the request', recorded, patient(hub));
    }
    await until('all cards', () => world.cards().length === 3, patient(hub));
    const cards = world.cards();
    assert.deepEqual(cards.map(({ text }) => ids.find((id) => text.includes(id))), ids, 'in the order they came');
    simulator.fail({ method: 'editMessageText', kind: 'flood', retryAfter: 1, times: 3 });
    for (const card of cards) world.tap(card, 'Deny');
    for (const agent of agents) await answered(agent, 'reject_once', hub);
    for (const card of cards) assert.match(await world.concluded(card, hub), /Denied/);
    assert.equal(outbox(world).deadLettersTotal, 0);
    world.eachRequestEndsOnce();
});

test('an answer that got lost: the card stands there twice, both work once and both are concluded', async (t) => {
    const world = await openWorld(t);
    const hub = await serve(world);
    world.bench.simulator.fail({ method: 'sendMessage', kind: 'cut' });
    const agent = ask(world);
    await until('both cards', () => world.cards().length === 2, patient(hub));
    const [lost, known] = world.cards();
    world.tap(lost, 'Allow');
    await answered(agent, 'allow_once', hub);
    for (const card of [lost, known]) assert.match(await world.concluded(card, hub), /Allowed/);
    world.eachRequestEndsOnce();
});

test('a network that is away and back: the card is shown, and what was pressed counts', async (t) => {
    const world = await openWorld(t);
    const { simulator } = world.bench;
    const hub = await serve(world);
    simulator.goOffline();
    const agent = ask(world);
    // The hub's own count: a call on a kept connection that breaks is made again below it.
    const waits = () => outbox(world).channels[0].chats[0];
    await until('some tries', () => (waits()?.tries ?? 0) >= 3, { ...patient(hub), every: 200 });
    assert.ok(waits().why.length > 0, JSON.stringify(waits()));
    simulator.clearFailures();
    const card = await until('the card', () => world.cards()[0], patient(hub));
    // A tap that the gap held back would be late (I16), and the card would come again.
    await until('updates', () => hub.out.some((line) => line.includes('come in again')), patient(hub));
    world.tap(card, 'Allow');
    await answered(agent, 'allow_once', hub, 90_000);
    world.eachRequestEndsOnce();
});

test('I2 a card that nobody can be shown: the agent hears exactly that, and the operator what it was', async (t) => {
    const world = await openWorld(t, { extra: '[gateway]\nadmin = "127.0.0.1:0"' });
    const hub = await serve(world);
    world.bench.simulator.block(alice);
    const agent = ask(world);
    await answered(agent, '"outcome":"undeliverable"', hub);
    const [dead] = outbox(world).deadLetters;
    assert.deepEqual([dead.channel, dead.what, dead.requestId], ['phone', 'card', ids[0]]);
    assert.match(dead.why, /blocked/);
    assert.match(command(world, 'outbox'), /1 message was given up since the start/);
    assert.equal(world.record('dead_letter').what, 'card');
    const port = hub.err.map((line) => /listening on 127.0.0.1 port (\d+)/.exec(line)?.[1]).find(Boolean);
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    assert.match(page, /^countersign_dead_letters_total\{channel="phone"\} 1$/m);
    assert.match(page, /^countersign_requests_ended_total\{outcome="undeliverable"\} 1$/m);
    assert.match(page, /^countersign_pending_requests 0$/m);
    assert.match(page, /^countersign_log_records_total [1-9]\d*$/m);
    assert.match(page, /^countersign_outbox_letters\{channel="phone",urgency="approval"\} 0$/m);
    for (const line of page.trimEnd().split('\n')) {
        assert.match(line, /^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"\n]*",?)+\})? \d+)$/);
    }
    assert.ok(!page.includes(world.bench.simulator.token.split(':')[1]), 'no secret');
});
