// SPDX-License-Identifier: Apache-2.0
// One request on every platform at once: the first answer decides, and all of them say so.
import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from './bench.mjs';
import { everyDesk, openDesks } from './desks.mjs';
import { ask } from './serving.mjs';

const concludedMax = 1000;
const cardsOf = (world) => Promise.all(world.desks.map((desk) => world.card({ desk })));

for (const at of everyDesk.keys()) {
    const { kind } = new everyDesk[at]();
    test(`I3 decided on ${kind}: every platform says so within a second`, async (t) => {
        const world = await openDesks(t, everyDesk);
        const agent = ask(world);
        const cards = await cardsOf(world);
        await world.desks[at].press('alice', cards[at], 'Allow');
        const began = performance.now();
        const words = await Promise.all(cards.map((card, i) => world.ended(card, world.desks[i])));
        const took = performance.now() - began;
        for (const text of words) assert.match(text, new RegExp(`Allowed[^]*by alice on ${kind}`));
        assert.ok(took < concludedMax, `${took} ms`);
        await world.answered(agent, 'allow_once');
        world.verifies();
    });
}

test('I3 everybody presses at the same moment: one decision, and nobody is told anything else', async (t) => {
    const world = await openDesks(t, everyDesk);
    const agent = ask(world);
    const cards = await cardsOf(world);
    const person = (i) => ['alice', 'bob'][i % 2];
    const label = (i) => ['Allow', 'Deny'][i % 2];
    await Promise.all(cards.map((card, i) => world.desks[i].press(person(i), card, label(i))));
    await until('the answer', () => agent.answer(), { status: () => world.hub.story() });
    const decided = world.records().filter(({ kind }) => kind === 'decision');
    assert.equal(decided.length, 1);
    const words = await Promise.all(cards.map((card, i) => world.ended(card, world.desks[i])));
    const outcome = decided[0].decision === 'allowed' ? 'Allowed' : 'Denied';
    for (const text of words) assert.match(text, new RegExp(`${outcome}[^]*by ${decided[0].decidedBy}`));
    assert.match(agent.answer(), outcome === 'Allowed' ? /allow_once/ : /reject_once/);
    world.verifies();
});
