// SPDX-License-Identifier: Apache-2.0
// A flood wait that is longer than the two minutes in which people should see a card: the real program waits it out.
import assert from 'node:assert/strict';
import test from 'node:test';
import { openWorld } from './approval_world.mjs';
import { until } from './bench.mjs';
import { answered, ask, command, outbox, serve } from './serving.mjs';

const wait = 200; // seconds: the wait is the case itself
const patient = (hub, within = 60_000) => ({ within, every: 200, status: () => hub.story() });

test('HermesAgent94291 a flood wait of 200 seconds loses no card, and the operator sees it wait', async (t) => {
    const world = await openWorld(t);
    const { simulator } = world.bench;
    const hub = await serve(world);
    simulator.fail({ method: 'sendMessage', kind: 'flood', retryAfter: wait });
    const begun = Date.now();
    const agent = ask(world);
    const known = () => outbox(world).channels[0].chats.find(({ why }) => why.includes('retry after 200'));
    const waiting = await until('a chat that waits', known, patient(hub));
    assert.ok(waiting.nextInMs > 150_000, JSON.stringify(waiting));
    assert.equal(waiting.waiting.approval, 1);
    assert.match(command(world, 'outbox'), /phone: 1 message to be sent \(1 card/);
    const card = await until('the card', () => world.cards()[0], patient(hub, (wait + 60) * 1000));
    assert.ok(Date.now() - begun >= wait * 1000, 'it was sent before its time');
    assert.equal(simulator.calls('sendMessage').length, 2, 'nothing was sent that was known to be refused');
    world.tap(card, 'Allow');
    await answered(agent, 'allow_once', hub);
    assert.deepEqual(outbox(world).deadLetters, []);
    world.eachRequestEndsOnce();
});
