// SPDX-License-Identifier: Apache-2.0
// What is special about an agent that speaks the Agent Client Protocol: forms, diffs, lasting options of its own, and
// the withdrawal of what it asked.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { acpAgent as cli } from './agents.mjs';
import { openWorld } from './approval_world.mjs';
import { until } from './bench.mjs';
import { call } from './mock_llm.mjs';

const write = (file) => call('Write', { file_path: file, content: 'hello\n' });

test('acp: an edit is shown with its diff, and an allow applies it', async (t) => {
    const world = await openWorld(t);
    const file = join(world.bench.work, 'new.txt');
    const program = world.run('edit', [[write(file)]], { cli });
    const card = await world.card(program);
    assert.match(card.text, /\+hello/);
    assert.match(card.text, /new\.txt/);
    assert.equal(existsSync(file), false);
    world.tap(card, 'Allow once');
    await world.ends(program);
    assert.equal(readFileSync(file, 'utf8'), 'hello\n');
    assert.equal(world.record('decision').toolName, 'Write');
    world.verifies();
});

test('acp: with always = "native" its own lasting option is offered, and the next edit is unasked', async (t) => {
    const world = await openWorld(t, { extra: '[always]\nacp = "native"\n' });
    const [one, two] = ['one.txt', 'two.txt'].map((name) => join(world.bench.work, name));
    const program = world.run('native', [[write(one)], [write(two)]], { cli });
    const card = await world.card(program);
    assert.match(card.text, /allow all edits during this session/);
    world.tap(card, 'Always, by agent');
    await world.ends(program);
    assert.equal(existsSync(two), true);
    assert.equal(world.records().filter(({ kind }) => kind === 'request').length, 1);
    const unasked = world.record('unasked');
    assert.equal(unasked.toolName, 'Write');
    assert.match(unasked.summary, /two\.txt/);
    assert.match(unasked.sessionKey, /^[0-9a-f-]{36}$/);
    world.verifies();
});

test('acp: a question comes as a form and is answered with the choice of the person', async (t) => {
    const world = await openWorld(t);
    const options = [
        { label: 'Red', description: 'the red one' },
        { label: 'Blue', description: 'the blue one' },
    ];
    const questions = [{ question: 'Which color?', header: 'Color', options, multiSelect: false }];
    const program = world.run('question', [[call('AskUserQuestion', { questions })]], { cli });
    const card = await world.card(program);
    assert.match(card.text, /Which color\?/);
    world.tap(card, '2. Blue');
    await until(
        'the model to hear it',
        () => {
            const buttons = world.cards().find(({ message_id: id }) => id === card.message_id)?.keyboard.flat() ?? [];
            if (buttons.some(({ text }) => text === 'Submit')) world.tap(card, 'Submit');
            return world.bench.llm.results('question')[0];
        },
        { within: 20_000, status: () => program.story() },
    );
    await world.ends(program);
    assert.match(world.bench.llm.results('question')[0].text, /Blue/);
    assert.equal(world.record('unasked'), undefined);
    world.verifies();
});

test('acp: a prompt on each line of standard input, each its own turn', async (t) => {
    const world = await openWorld(t);
    const marks = ['first', 'second'].map((name) => world.bench.llm.script(name, [[cli.shell(`touch ${name}`)]]));
    const program = world.run('prompts', null, { cli });
    program.send(marks.map((mark) => `${mark} go\n`).join(''));
    program.closeInput();
    for (const name of ['first', 'second']) {
        const card = await world.card(program, ({ text }) => text.includes(`touch ${name}`));
        world.tap(card, 'Allow once');
        await world.concluded(card, program);
    }
    await world.ends(program);
    assert.deepEqual(['first', 'second'].map((name) => existsSync(join(world.bench.work, name))), [true, true]);
    world.verifies();
});

// Answers like an agent, and stays when its input ends.
const stays = `
const answers = {
    initialize: { protocolVersion: 1 },
    'session/new': { sessionId: 's' },
    'session/prompt': { stopReason: 'end_turn' },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] }));
});
setInterval(() => {}, 1000);
`;

test('acp: an agent that stays when its input ends is stopped', async (t) => {
    const world = await openWorld(t);
    const agent = { ...cli, command: () => [process.execPath, '-e', stays] };
    const program = world.run('stays', [[cli.shell('touch made')]], { cli: agent });
    await program.ended({ within: 60_000 });
    assert.match([...program.out, ...program.err].join('\n'), /stopped the agent: it did not end with its input/);
    world.verifies();
});

test('acp: I2 an agent that speaks another version gets no prompt, and that is reported', async (t) => {
    const world = await openWorld(t);
    const answer = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":2}}';
    const other = `process.stdin.once('data', () => console.log('${answer}'))`;
    const agent = { ...cli, command: () => [process.execPath, '-e', other] };
    const program = world.run('version', [[cli.shell('touch made')]], { cli: agent });
    await program.ended({ within: 30_000 });
    assert.match([...program.out, ...program.err].join('\n'), /speaks version 2 of the Agent Client Protocol/);
    assert.equal(world.record('request'), undefined);
});
