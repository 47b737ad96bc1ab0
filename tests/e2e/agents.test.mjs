// SPDX-License-Identifier: Apache-2.0
// The same cases with each real agent CLI: asked on Telegram, answered by a person or by no one, killed and halted.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { everyAgent } from './agents.mjs';
import { alice, openWorld } from './approval_world.mjs';
import { until } from './bench.mjs';
import { serve } from './serving.mjs';

const cases = {
    'allow: the command runs once it is allowed, and the log verifies': async (world, cli) => {
        const file = join(world.bench.work, 'made');
        const program = world.run('allow', [[cli.shell(`touch ${file}`)]], { cli });
        const card = await world.card(program);
        assert.match(card.text, /touch .*made/);
        assert.equal(existsSync(file), false, 'it ran before it was allowed');
        world.tap(card, 'Allow once');
        assert.match(await world.concluded(card, program), /Allowed/);
        await world.ends(program);
        assert.equal(existsSync(file), true);
        world.verifies();
        const decision = world.record('decision');
        assert.deepEqual([decision.decidedBy, decision.decision, decision.toolName], ['alice', 'allowed', cli.tool]);
        assert.deepEqual(world.bench.proxy.attempts, []);
        assert.deepEqual(world.bench.llm.unknown, []);
        assert.equal(world.record('unasked'), undefined);
    },

    'deny: nothing runs, the model hears it, and the turn goes on': async (world, cli) => {
        const file = join(world.bench.work, 'made');
        const program = world.run('deny', [[cli.shell(`touch ${file}`)]], { cli });
        const card = await world.card(program);
        const [, id] = /([0-9A-HJKMNP-TV-Z]{26})/.exec(card.text);
        world.bench.simulator.say({ user: alice, text: `/deny ${id} not on a Friday` });
        assert.match(await world.concluded(card, program), /Denied/);
        await world.ends(program);
        assert.equal(existsSync(file), false);
        const [seen] = world.bench.llm.results('deny');
        assert.equal(seen.isError, true);
        if (cli.hearsReason) assert.match(seen.text, /not on a Friday/);
        assert.match(world.record('decision').reason, /not on a Friday/);
        assert.equal(world.bench.llm.turns('deny'), 2);
    },

    'I8 allowed for the session: the same call is not asked again, another one is': async (world, cli) => {
        const file = join(world.bench.work, 'made');
        const touch = cli.shell(`touch ${file}`);
        const program = world.run('session', [[touch], [touch], [cli.shell(`touch ${file}-more`)]], { cli });
        const card = await world.card(program);
        world.tap(card, 'Allow this exact call for this session');
        await world.concluded(card, program);
        const other = await world.card(program, ({ text }) => text.includes('made-more'));
        world.tap(other, 'Deny');
        await world.ends(program);
        assert.equal(existsSync(`${file}-more`), false);
        const decisions = world.records().filter(({ kind }) => kind === 'decision');
        assert.deepEqual(
            decisions.map(({ decidedBy, decision }) => [decidedBy.split(':')[0], decision]),
            [['alice', 'allowed'], ['grant', 'allowed'], ['alice', 'denied']],
        );
        assert.equal(world.record('unasked'), undefined, 'the agent itself heard of no rule');
        world.verifies();
    },

    'nobody answers for a while, and then allow works': async (world, cli) => {
        const file = join(world.bench.work, 'made');
        const program = world.run('late', [[cli.shell(`touch ${file}`)]], { cli });
        const card = await world.card(program);
        await new Promise((done) => setTimeout(done, 3_000)); // a while is the case itself
        assert.equal(existsSync(file), false);
        world.tap(card, 'Allow once');
        await world.ends(program);
        assert.equal(existsSync(file), true);
    },

    'I12 a halt denies what is open and ends the turn': async (world, cli) => {
        const file = join(world.bench.work, 'made');
        const steps = [[cli.shell(`touch ${file}`)], [cli.shell(`touch ${file}`)]];
        const program = world.run('halted', steps, { cli });
        const card = await world.card(program);
        world.bench.simulator.say({ user: alice, text: `/halt ${cli.name}` });
        assert.match(await world.concluded(card, program), /halted by alice/);
        await program.ended({ within: 60_000 });
        assert.equal(existsSync(file), false);
        assert.match([...program.out, ...program.err].join('\n'), /the agent was halted by alice/);
        assert.ok(world.bench.llm.turns('halted') <= 2, 'it did not go on');
        world.verifies();
    },

    'I12 the CLI killed while pending: the card says that it is lost': async (world, cli) => {
        const program = world.run('killed', [[cli.shell('touch made')]], { cli });
        const card = await world.card(program);
        const pid = world.bench.strays().find((one) => {
            const name = readFileSync(`/proc/${one}/comm`, 'utf8').trim();
            return [cli.process].flat().some((process) => name.startsWith(process));
        });
        assert.ok(pid, 'the CLI runs');
        process.kill(pid, 'SIGKILL');
        assert.match(await world.concluded(card, program), /lost|Lost/);
        assert.notEqual((await program.ended({ within: 30_000 })).code, 0);
        assert.equal(world.record('ended').outcome, 'lost');
    },

    'I12 the hub killed while pending: nothing runs, and after the restart the message says so': async (world, cli) => {
        const file = join(world.bench.work, 'made');
        const program = world.run('bridge', [[cli.shell(`touch ${file}`)]], { cli });
        const card = await world.card(program);
        // The log learns of the message a moment after the people do.
        await until('the note of the card', () => world.record('presented'));
        process.kill(program.pid, 'SIGKILL');
        await program.ended();
        program.signal('SIGKILL');
        const again = world.run('again', [[cli.shell('touch again')]], { cli });
        assert.match(await world.concluded(card, again), /hub restarted/);
        world.tap(await world.card(again), 'Deny');
        await world.ends(again);
        assert.ok(world.records().some(({ kind, outcome }) => kind === 'ended' && outcome === 'lost'));
        assert.equal(existsSync(file), false);
        world.verifies();
    },

    'I12 a killed hub of another process is waited for, and the next one asks on': async (world, cli) => {
        const file = join(world.bench.work, 'made');
        const hub = await serve(world);
        const program = world.run('sidecar', [[cli.shell(`touch ${file}`)]], { cli });
        const card = await world.card(program);
        await until('the note of the card', () => world.record('presented'));
        hub.signal('SIGKILL');
        await hub.ended();
        const next = await serve(world);
        const again = await world.card(program, ({ message_id: id }) => id !== card.message_id);
        assert.equal(existsSync(file), false);
        world.tap(again, 'Allow once');
        await world.ends(program);
        assert.equal(existsSync(file), true);
        assert.equal(world.records().filter(({ kind }) => kind === 'request').length, 1, 'it is the same request');
        process.kill(next.pid, 'SIGTERM');
        await world.ends(next);
        world.verifies();
    },
};

for (const cli of everyAgent) {
    for (const [name, run] of Object.entries(cases)) {
        test(`${cli.name}: ${name}`, async (t) => run(await openWorld(t), cli));
    }
}
