// SPDX-License-Identifier: Apache-2.0
// The first real approval: the real Claude Code asks, a person answers on Telegram, the log has it first.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { alice, mallory, openWorld } from './approval_world.mjs';
import { until } from './bench.mjs';
import { bash } from './mock_llm.mjs';

const calls = 'trace=fdatasync,write,writev,pwrite64';
const straced = (trace) => ['strace', '-f', '-qq', '-e', calls, '-s', '4000', '-o', trace];

// Where in a trace the decision was written, then synced, and where the agent was answered.
function orderIn(trace) {
    const calls = readFileSync(trace, 'utf8').split('\n');
    const written = calls.findIndex((line) => line.includes('\\"kind\\":\\"decision\\"'));
    const synced = calls.findIndex((line, i) => i > written && /fdatasync.*= 0/.test(line));
    const allowed = calls.findIndex((line) => line.includes('control_response') && /behavior.*allow/.test(line));
    return { written, synced, allowed };
}

test('I1 allow: the file exists, and the record was synced before the answer reached the CLI', async (t) => {
    const world = await openWorld(t);
    const file = join(world.bench.work, 'made');
    const trace = join(world.bench.directory, 'trace');
    const program = world.run('allow', [[bash(`touch ${file}`)]], { wrap: straced(trace) });
    const card = await world.card(program);
    assert.match(card.text, /touch .*made/);
    assert.equal(existsSync(file), false, 'it ran before it was allowed');
    world.tap(card, 'Allow once');
    assert.match(await world.concluded(card, program), /Allowed/);
    await world.ends(program);
    assert.equal(existsSync(file), true);
    world.verifies();
    const decision = world.record('decision');
    assert.deepEqual([decision.decidedBy, decision.decision, decision.toolName], ['alice', 'allowed', 'Bash']);
    const { written, synced, allowed } = orderIn(trace);
    assert.ok(written >= 0 && allowed >= 0, 'the trace has both');
    assert.ok(written < synced && synced < allowed, `${written} written, ${synced} synced, ${allowed} answered`);
    assert.deepEqual(world.bench.proxy.attempts, []);
});

test('deny with a reason: nothing runs, and the model sees the reason', async (t) => {
    const world = await openWorld(t);
    const file = join(world.bench.work, 'made');
    const program = world.run('deny', [[bash(`touch ${file}`)]]);
    const card = await world.card(program);
    const [, id] = /([0-9A-HJKMNP-TV-Z]{26})/.exec(card.text);
    world.bench.simulator.say({ user: alice, text: `/deny ${id} not on a Friday` });
    assert.match(await world.concluded(card, program), /Denied/);
    await world.ends(program);
    assert.equal(existsSync(file), false);
    const [seen] = world.bench.llm.results('deny');
    assert.equal(seen.isError, true);
    assert.match(seen.text, /not on a Friday/);
    assert.match(world.record('decision').reason, /not on a Friday/);
});

test('Deny… asks for the words, and the reply to that denies with them', async (t) => {
    const world = await openWorld(t);
    const file = join(world.bench.work, 'made');
    const program = world.run('deny_words', [[bash(`touch ${file}`)]]);
    const card = await world.card(program);
    await world.answered(world.tap(card, 'Deny…'));
    const prompt = await until('the bot asks for the reason', () =>
        world.bench.simulator.messages({ chat: world.chat }).find(({ text }) => /with your reason/.test(text)),
    );
    assert.equal(world.records().some(({ kind }) => kind === 'decision'), false, 'the tap decided by itself');
    world.bench.simulator.say({ user: alice, text: 'approve nothing before the backup', replyTo: prompt.message_id });
    assert.match(await world.concluded(card, program), /Denied/);
    await world.ends(program);
    assert.equal(existsSync(file), false);
    assert.match(world.bench.llm.results('deny_words')[0].text, /approve nothing before the backup/);
});

test('a reply to a card decides nothing and offers one button, which denies with its words', async (t) => {
    const world = await openWorld(t);
    const program = world.run('reply', [[bash('touch made')]]);
    const card = await world.card(program);
    world.bench.simulator.say({ user: alice, text: 'yes', replyTo: card.message_id });
    const offer = await until('the bot offers the button', () =>
        world.bench.simulator.messages({ chat: world.chat }).find(({ text }) => /alone doesn't decide/.test(text)),
    );
    assert.equal(world.records().some(({ kind }) => kind === 'decision'), false, 'the reply decided by itself');
    const buttons = offer.keyboard.flat().map(({ text }) => text);
    assert.deepEqual(buttons, ['Deny with this reason']);
    world.bench.simulator.tap({ user: alice, message: offer.message_id, button: 'Deny with this reason' });
    assert.match(await world.concluded(card, program), /Denied/);
    await world.ends(program);
    const decision = world.record('decision');
    assert.deepEqual([decision.decision, decision.reason], ['denied', 'yes']);
    const shown = world.bench.simulator.messages({ chat: world.chat });
    assert.deepEqual(shown.find(({ message_id: id }) => id === offer.message_id).keyboard, []);
});

test('/approve with the id allows', async (t) => {
    const world = await openWorld(t);
    const file = join(world.bench.work, 'made');
    const program = world.run('approve', [[bash(`touch ${file}`)]]);
    const card = await world.card(program);
    const [, id] = /([0-9A-HJKMNP-TV-Z]{26})/.exec(card.text);
    world.bench.simulator.say({ user: alice, text: `/approve ${id}` });
    await world.ends(program);
    assert.equal(existsSync(file), true);
});

test('I4 an unauthorised click is answered with an alert and decides nothing', async (t) => {
    const world = await openWorld(t, { group: true });
    const program = world.run('stranger', [[bash('touch made')]]);
    const card = await world.card(program);
    const answer = await world.answered(world.tap(card, 'Allow once', mallory));
    assert.equal(answer.alert, true);
    assert.equal(world.cards().length, 1, 'the card still waits');
    assert.equal(world.record('refused').why, 'not_authorised');
    world.tap(card, 'Deny');
    await world.ends(program);
    assert.equal(world.record('decision').decidedBy, 'alice');
});

test('I10 forged callback data decides nothing', async (t) => {
    const world = await openWorld(t);
    const file = join(world.bench.work, 'made');
    const program = world.run('forged', [[bash(`touch ${file}`)]]);
    const card = await world.card(program);
    const real = card.keyboard.flat()[0].callback_data;
    for (const data of ['allow', real.slice(0, -1) + (real.endsWith('A') ? 'B' : 'A'), `1d${'0'.repeat(45)}`]) {
        const tap = world.bench.simulator.tap({ user: alice, chat: card.chat, message: card.message_id, data });
        assert.ok(await world.answered(tap), data);
    }
    assert.equal(existsSync(file), false);
    assert.equal(world.cards().length, 1);
    world.tap(card, 'Deny');
    await world.ends(program);
    assert.equal(world.records().filter(({ kind }) => kind === 'decision').length, 1);
});

test('I5 a replayed update has no effect', async (t) => {
    const world = await openWorld(t);
    const program = world.run('replay', [[bash('touch first')], [bash('touch second')]]);
    const first = await world.card(program);
    const { update_id: update } = world.tap(first, 'Allow once');
    await world.concluded(first, program);
    const second = await world.card(program, ({ text }) => text.includes('touch second'));
    world.bench.simulator.replay(update);
    world.bench.simulator.replay(update);
    world.tap(second, 'Deny');
    await world.ends(program);
    assert.deepEqual(
        world.records().filter(({ kind }) => kind === 'decision').map(({ decision }) => decision),
        ['allowed', 'denied'],
    );
});

test('nobody answers for a while, and then allow works', async (t) => {
    const world = await openWorld(t);
    const file = join(world.bench.work, 'made');
    const program = world.run('late', [[bash(`touch ${file}`)]]);
    const card = await world.card(program);
    await new Promise((done) => setTimeout(done, 3_000)); // a while is the case itself
    assert.equal(existsSync(file), false);
    world.tap(card, 'Allow once');
    await world.ends(program);
    assert.equal(existsSync(file), true);
});

test('I12 the CLI killed while pending: the card says that it is lost', async (t) => {
    const world = await openWorld(t);
    const program = world.run('killed', [[bash('touch made')]]);
    const card = await world.card(program);
    const cli = world.bench.strays().find((pid) => {
        const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
        return name.startsWith('claude');
    });
    assert.ok(cli, 'the CLI runs');
    process.kill(cli, 'SIGKILL');
    assert.match(await world.concluded(card, program), /lost|Lost/);
    assert.notEqual((await program.ended({ within: 30_000 })).code, 0);
    assert.equal(world.record('ended').outcome, 'lost');
});

test('I12 the bridge killed while pending: after the restart the message says so', async (t) => {
    const world = await openWorld(t);
    const program = world.run('bridge', [[bash('touch made')]]);
    const card = await world.card(program);
    // The log learns of the message a moment after the people do.
    await until('the note of the card', () => world.record('presented'));
    process.kill(program.pid, 'SIGKILL');
    await program.ended();
    program.signal('SIGKILL');
    const again = world.run('again', [[bash('touch again')]]);
    assert.match(await world.concluded(card, again), /hub restarted/);
    const next = await world.card(again);
    world.tap(next, 'Deny');
    await world.ends(again);
    assert.ok(world.records().some(({ kind, outcome }) => kind === 'ended' && outcome === 'lost'));
    world.verifies();
});

test('I1 the log cannot be written: nothing runs, and the agent hears why', async (t) => {
    const heard = [];
    // From the n-th sync on, the disk fails: before anything is asked, while the card is shown, at the decision, after
    // it.
    for (const from of [2, 3, 4, 5]) {
        const world = await openWorld(t);
        const file = join(world.bench.work, 'made');
        const trace = join(world.bench.directory, 'trace');
        const name = `disk-${from}`;
        await world.begin(); // a first start has syncs of its own
        const program = world.run(name, [[bash(`touch ${file}`)]], {
            wrap: [...straced(trace), '-e', `inject=fdatasync:error=EIO:when=${from}+`],
        });
        const shown = await Promise.race([world.card(program), program.ended({ within: 60_000 }).then(() => null)]);
        if (shown) {
            // What notes the card has a sync of its own, so that the decision has the next.
            await until('the note', () => program.exit || readFileSync(trace, 'utf8').includes('presented'));
            const { callback_data: data } = shown.keyboard.flat().find(({ text }) => text === 'Allow once');
            world.bench.simulator.tap({ user: alice, message: shown.message_id, data });
        }
        await program.ended({ within: 60_000 });
        const { written, synced, allowed } = orderIn(trace);
        const right = allowed < 0 || (written >= 0 && synced > written && synced < allowed);
        assert.ok(right, `from sync ${from} on: ${written} written, ${synced} synced, ${allowed} allowed`);
        assert.equal(existsSync(file), allowed >= 0, `with the disk failing from sync ${from} on`);
        if (shown) heard.push(...world.bench.llm.results(name).map(({ text }) => text));
    }
    assert.ok(heard.some((text) => /audit log unavailable/.test(text)), `the model heard: ${heard.join(' | ')}`);
});

test('a request that the agent withdraws says so, and its button does nothing', async (t) => {
    const world = await openWorld(t);
    const hook = join(world.bench.directory, 'hook');
    const go = join(world.bench.directory, 'go');
    const answer = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny' } } };
    writeFileSync(hook, `#!/bin/sh\nwhile [ ! -e ${go} ]; do sleep 0.05; done\necho '${JSON.stringify(answer)}'\n`, {
        mode: 0o700,
    });
    const settings = { hooks: { PermissionRequest: [{ matcher: '*', hooks: [{ type: 'command', command: hook }] }] } };
    world.bench.claudeEnvironment();
    writeFileSync(join(world.bench.home, '.claude', 'settings.json'), JSON.stringify(settings));
    const file = join(world.bench.work, 'made');
    const program = world.run('withdrawn', [[bash(`touch ${file}`)], [bash('touch later')]]);
    const card = await world.card(program);
    const { callback_data: data } = card.keyboard.flat().find(({ text }) => text === 'Allow once');
    writeFileSync(go, ''); // another program answers the CLI before any person does
    assert.match(await world.concluded(card, program), /[Ww]ithdrawn/);
    const late = world.bench.simulator.tap({ user: alice, message: card.message_id, data });
    assert.match((await world.answered(late)).text, /withdrawn|ended/i);
    await world.ends(program);
    assert.equal(existsSync(file), false);
    assert.equal(world.record('ended').outcome, 'withdrawn');
    assert.equal(world.record('decision'), undefined);
    world.verifies();
});

test('two agents at once: one bot, one log, both answered', async (t) => {
    const world = await openWorld(t);
    const one = join(world.bench.work, 'one');
    const two = join(world.bench.work, 'two');
    const first = world.run('one', [[bash(`touch ${one}`)]], { agent: 'one' });
    const cardOne = await world.card(first, ({ text }) => text.includes(`touch ${one}`));
    const second = world.run('two', [[bash(`touch ${two}`)]], { agent: 'two' });
    const cardTwo = await world.card(second, ({ text }) => text.includes(`touch ${two}`));
    world.tap(cardTwo, 'Allow once');
    await world.ends(second);
    world.tap(cardOne, 'Deny');
    await world.ends(first);
    assert.equal(existsSync(two), true);
    assert.equal(existsSync(one), false);
    world.verifies();
    const decided = world.records().filter(({ kind }) => kind === 'decision');
    const pairs = decided.map(({ agentId, decision }) => [agentId, decision]);
    assert.deepEqual(pairs, [['two', 'allowed'], ['one', 'denied']]);
});

test('I16 a command that was typed long ago does not run', async (t) => {
    const world = await openWorld(t);
    const file = join(world.bench.work, 'made');
    const program = world.run('gap', [[bash(`touch ${file}`)]]);
    const card = await world.card(program);
    // A command typed long ago: Telegram says when.
    const [, id] = /([0-9A-HJKMNP-TV-Z]{26})/.exec(card.text);
    world.bench.simulator.say({ user: alice, text: `/approve ${id}`, ago: 600 });
    await until('the refusal', () => world.records().find(({ kind, why }) => kind === 'refused' && why === 'late'));
    assert.equal(existsSync(file), false);
    const fresh = await until('the card again', () => world.cards().at(-1));
    world.tap(fresh, 'Deny');
    await world.ends(program);
});
