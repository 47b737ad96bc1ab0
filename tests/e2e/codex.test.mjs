// SPDX-License-Identifier: Apache-2.0
// What only Codex has: patches with their diff, questions, calls of MCP tools, Codex's own rules, and a command that
// demands a person.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { codexAgent as cli } from './agents.mjs';
import { alice, openWorld } from './approval_world.mjs';
import { until } from './bench.mjs';
import { call, patch, shell } from './mock_llm.mjs';

test('codex: a patch is shown with its diff, and an allow applies it', async (t) => {
    const world = await openWorld(t);
    const file = join(world.bench.work, 'new.txt');
    const program = world.run('patch', [[patch(`*** Add File: ${file}\n+hello`)]], { cli });
    const card = await world.card(program);
    assert.match(card.text, /\+hello/);
    assert.match(card.text, /add .*new\.txt/);
    assert.equal(existsSync(file), false);
    world.tap(card, 'Allow once');
    await world.ends(program);
    assert.equal(readFileSync(file, 'utf8'), 'hello\n');
    assert.equal(world.record('decision').toolName, 'apply_patch');
    world.verifies();
});

test('codex: a denied patch is not applied', async (t) => {
    const world = await openWorld(t);
    const file = join(world.bench.work, 'new.txt');
    const program = world.run('no-patch', [[patch(`*** Add File: ${file}\n+hello`)]], { cli });
    world.tap(await world.card(program), 'Deny');
    await world.ends(program);
    assert.equal(existsSync(file), false);
});

test('codex: two commands wait at once, and each gets its own answer', async (t) => {
    const world = await openWorld(t);
    const [one, two] = ['one', 'two'].map((name) => join(world.bench.work, name));
    const program = world.run('both', [[shell(`touch ${one}`), shell(`touch ${two}`)]], { cli });
    const [first, second] = await until('both cards', () => {
        const cards = [one, two].map((file) => world.cards().find(({ text }) => text.includes(file)));
        return cards.every(Boolean) && cards;
    }, { within: 60_000, status: () => program.story() });
    world.tap(second, 'Deny');
    await world.concluded(second, program);
    world.tap(first, 'Allow once');
    await world.ends(program);
    assert.deepEqual([existsSync(one), existsSync(two)], [true, false]);
});

test('codex: with on-request it asks to leave the sandbox, and what runs inside is recorded', async (t) => {
    const world = await openWorld(t);
    const outside = shell('curl -s http://127.0.0.1:9/', {
        sandbox_permissions: 'require_escalated',
        justification: 'Need the network',
    });
    const program = world.run('unasked', [[shell('touch inside')], [outside]], {
        cli,
        flags: ['--approval-policy', 'on-request'],
    });
    const card = await world.card(program);
    assert.match(card.text, /curl -s/);
    assert.match(card.text, /Need the network/);
    world.tap(card, 'Deny');
    await world.ends(program);
    assert.match(program.err.join('\n'), /what Codex's sandbox allows runs without asking/);
    const unasked = world.records().filter(({ kind }) => kind === 'unasked');
    assert.deepEqual(
        unasked.map(({ toolName, summary }) => [toolName, summary]),
        [['shell', 'touch inside']],
    );
    assert.match(unasked[0].sessionKey, /^[0-9a-f-]{36}$/);
});

test('codex: a question is answered with the choice of the person', async (t) => {
    const world = await openWorld(t);
    const options = [
        { label: 'Red', description: 'the red one' },
        { label: 'Blue', description: 'the blue one' },
    ];
    const ask = call('request_user_input', {
        questions: [{ id: 'color', header: 'Color', question: 'Which color?', options }],
    });
    const program = world.run('question', [[ask]], { cli });
    const card = await world.card(program);
    assert.match(card.text, /Which color\?/);
    world.tap(card, '2. Blue');
    await until('the model to hear it', () => {
        const buttons = world.cards().find(({ message_id: id }) => id === card.message_id)?.keyboard.flat() ?? [];
        if (buttons.some(({ text }) => text === 'Submit')) world.tap(card, 'Submit');
        return world.bench.llm.results('question')[0];
    }, { within: 20_000, status: () => program.story() });
    await world.ends(program);
    assert.match(world.bench.llm.results('question')[0].text, /Blue/);
    world.verifies();
});

test('codex: a sub-agent asks in the session that started it', async (t) => {
    const world = await openWorld(t);
    const file = join(world.bench.work, 'made');
    const child = world.bench.llm.script('child', [[shell(`touch ${file}`)]]);
    const program = world.run('parent', [[call('spawn_agent', { message: `${child} go` })]], { cli });
    const card = await world.card(program, ({ text }) => text.includes(file));
    assert.match(card.text, /asked by a sub-agent/);
    assert.equal(existsSync(file), false);
    world.tap(card, 'Allow once');
    await world.ends(program);
    assert.equal(existsSync(file), true);
    world.verifies();
});

test("codex: an MCP server's tool is asked with its arguments, then its own question", async (t) => {
    const world = await openWorld(t);
    const server = join(dirname(fileURLToPath(import.meta.url)), 'mcp_server.mjs');
    const more = `[mcp_servers.demo]\ncommand = "${process.execPath}"\nargs = ["${server}"]\n`;
    const environment = world.bench.codexEnvironment({ more });
    const greet = call('mcp__demo__greet', { word: 'hello' });
    const program = world.run('mcp', [[greet]], { cli, environment });
    const card = await world.card(program);
    assert.match(card.text, /mcp__demo__greet/);
    assert.match(card.text, /"word": "hello"/);
    world.tap(card, 'Allow once');
    await world.concluded(card, program);
    const form = await world.card(program, ({ message_id: id }) => id !== card.message_id);
    assert.match(form.text, /What is your name\?/);
    world.bench.simulator.say({ user: alice, text: 'bob', replyTo: form.message_id });
    await world.ends(program);
    assert.match(world.bench.llm.results('mcp')[0].text, /hello accept bob/);
    assert.equal(world.record('unasked'), undefined);
    world.verifies();
});

test("codex: with always = \"native\" its own rule is offered in words, and Codex keeps it", async (t) => {
    const world = await openWorld(t, { extra: '[always]\ncodex = "native"\n' });
    const file = join(world.bench.work, 'made');
    const program = world.run('native', [[shell(`touch ${file}`)], [shell(`touch ${file}`)]], { cli });
    const card = await world.card(program);
    assert.match(card.text, /runs without asking, in all sessions/);
    world.tap(card, 'Always, by prefix');
    await world.ends(program);
    const rules = readFileSync(join(world.bench.home, '.codex/rules/default.rules'), 'utf8');
    assert.match(rules, /prefix_rule\(pattern=\["touch", ".*made"\], decision="allow"\)/);
    assert.equal(world.record('unasked').summary, `touch ${file}`, 'the second time it was not asked');
    assert.equal(world.records().filter(({ kind }) => kind === 'request').length, 1);
});

test('codex: a prompt on each line of standard input, each its own turn', async (t) => {
    const world = await openWorld(t);
    const one = world.bench.llm.script('one', [[shell('touch one')]]);
    const two = world.bench.llm.script('two', [[shell('touch two')]]);
    const program = world.run('prompts', null, { cli });
    program.send(`${one} go\n${two} go\n`);
    program.closeInput();
    for (const name of ['one', 'two']) {
        world.tap(await world.card(program, ({ text }) => text.includes(`touch ${name}`)), 'Allow once');
    }
    await world.ends(program);
    assert.deepEqual(['one', 'two'].map((name) => existsSync(join(world.bench.work, name))), [true, true]);
});

test('codex: an argument that would turn the asking off is refused', async (t) => {
    const world = await openWorld(t);
    const program = world.run('refused', [], { cli, flags: ['--', '-c', 'approval_policy=never'] });
    assert.equal((await program.ended({ within: 20_000 })).code, 2);
    assert.match(program.err.join('\n'), /approval_policy.*--approval-policy/);
    assert.equal(world.bench.simulator.messages({ chat: alice }).length, 0);
});
