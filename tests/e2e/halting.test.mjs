// SPDX-License-Identifier: Apache-2.0
// A person stops the real Claude Code from the chat: what it asked is denied, its turn ends, and a restart changes
// nothing.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { alice, mallory, openWorld } from './approval_world.mjs';
import { until } from './bench.mjs';
import { bash } from './mock_llm.mjs';
import { serve } from './serving.mjs';

// The bot's latest words in a chat.
const said = (world, chat, fits) =>
    until('the answer', () => world.bench.simulator.messages({ chat }).findLast(({ text }) => fits.test(text ?? '')), {
        within: 20_000,
    });

test('I12 a halt denies what is open, ends the turn, and holds after a restart until resume', async (t) => {
    const world = await openWorld(t);
    const file = join(world.bench.work, 'made');
    const program = world.run('halted', [[bash(`touch ${file}`)], [bash(`touch ${file}`)]]);
    const card = await world.card(program);
    world.bench.simulator.say({ user: mallory, text: '/halt claude' });
    await said(world, mallory, /may not do this/);
    // The record of a refusal may be on disk after its answer.
    const refused = await until('the record of the refusal', () => world.record('refused'));
    assert.equal(refused.action, 'halt');
    world.bench.simulator.say({ user: alice, text: 'halt claude' });
    assert.match(await world.concluded(card, program), /Denied .*by alice[\s\S]*reason: halted by alice/);
    const answer = await said(world, alice, /Halted: claude/);
    assert.match(answer.text, /Open requests denied: 1\./);
    assert.match(answer.text, /Its turn was ended\./);
    await program.ended({ within: 60_000 });
    await said(world, alice, /session ended, halted by alice/);
    assert.match([...program.out, ...program.err].join('\n'), /the agent was halted by alice/);
    assert.equal(existsSync(file), false);
    assert.equal(world.bench.llm.results('halted').length <= 1, true, 'the second step was never taken');
    assert.deepEqual([world.record('halt').person, world.record('halt').agentId], ['alice', 'claude']);
    world.verifies();

    const again = world.run('again', [[bash(`touch ${file}`)]]);
    assert.equal((await again.ended({ within: 20_000 })).code, 1, 'a halted agent is not started');
    assert.match(again.err.join('\n'), /claude was halted by alice and is not started.*countersign resume claude/);
    assert.equal(existsSync(file), false);
    assert.equal(world.cards().length, 0, 'nobody was asked');

    const hub = await serve(world);
    world.bench.simulator.say({ user: alice, text: '/resume claude' });
    await said(world, alice, /claude may ask again/);
    const third = world.run('third', [[bash(`touch ${file}`)], [bash(`touch ${file}-more`)]]);
    world.tap(await world.card(third), 'Allow once');
    const open = await world.card(third, ({ text }) => text.includes('made-more'));
    assert.equal(existsSync(file), true);
    // The same for an agent that asks in another process's hub.
    world.bench.simulator.say({ user: alice, text: '/halt claude' });
    assert.match(await world.concluded(open, third), /reason: halted by alice/);
    const ended = await until('the second halt', () => {
        const all = world.bench.simulator.messages({ chat: alice });
        const answers = all.filter(({ text }) => /^Halted:/.test(text ?? ''));
        return answers.length === 2 ? answers[1].text : null;
    });
    // The answer waits a second for the other process to confirm, which may not be enough on a busy machine.
    assert.match(ended, /Its turn was ended\.|It hasn't confirmed yet that its turn ended\./);
    await third.ended({ within: 60_000 });
    assert.equal(existsSync(`${file}-more`), false);
    process.kill(hub.pid, 'SIGTERM');
    await world.ends(hub);
    world.verifies();
});
