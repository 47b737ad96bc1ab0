// SPDX-License-Identifier: Apache-2.0
// A laptop that sleeps: the whole bridge stands still for longer than the polling gap, and somebody taps meanwhile.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { openWorld } from './approval_world.mjs';
import { until } from './bench.mjs';
import { bash } from './mock_llm.mjs';

const gap = 125_000; // more than the two minutes after which a tap without a time counts as late

test('I16 a tap that waited out a polling gap does not run; the card comes again, and then it does', async (t) => {
    const world = await openWorld(t);
    const file = join(world.bench.work, 'made');
    const program = world.run('asleep', [[bash(`touch ${file}`)]]);
    const card = await world.card(program);
    process.kill(program.pid, 'SIGSTOP');
    const tap = world.tap(card, 'Allow once');
    await new Promise((done) => setTimeout(done, gap)); // the gap is the case itself
    process.kill(program.pid, 'SIGCONT');
    const answer = await world.answered(tap);
    assert.match(answer.text, /late/);
    assert.equal(existsSync(file), false, 'a late tap ran');
    assert.equal(world.records().find(({ kind }) => kind === 'refused')?.why, 'late');
    const again = await until('the card again', () => world.cards().find((c) => c.message_id !== card.message_id));
    world.tap(again, 'Allow once');
    await world.ends(program);
    assert.equal(existsSync(file), true);
    assert.equal(world.records().filter(({ kind }) => kind === 'decision').length, 1);
});
