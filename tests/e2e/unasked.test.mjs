// SPDX-License-Identifier: Apache-2.0
// What the real Claude Code runs without asking: the log names it, and --ask-everything has it asked.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { openWorld } from './approval_world.mjs';
import { bash, call } from './mock_llm.mjs';

const read = (file) => call('Read', { file_path: file });

// Settings of the project that let the CLI run these without asking.
function allowInSettings(world, rules) {
    const directory = join(world.bench.work, '.claude');
    mkdirSync(directory);
    writeFileSync(join(directory, 'settings.json'), JSON.stringify({ permissions: { allow: rules } }));
}

test('what Claude reads unasked is recorded with its file and session; what it could not do is not', async (t) => {
    const deny = '[[policy]]\nname = "no-secrets"\neffect = "deny"\npath = "*.env"\n';
    const world = await openWorld(t, { extra: deny });
    const file = join(world.bench.work, '.env');
    writeFileSync(file, 'NAME=value\n');
    const missing = join(world.bench.work, 'missing');
    const steps = [[read(file)], [read(missing)], [call('Read', { nope: 1 })], [bash('ls zzz')]];
    await world.ends(world.run('unasked', steps));
    const unasked = world.records().filter(({ kind }) => kind === 'unasked');
    assert.deepEqual(
        unasked.map(({ toolName, summary, failed }) => [toolName, summary, failed]),
        [
            ['Read', file, undefined],
            ['Bash', 'ls zzz', true],
        ],
    );
    assert.match(unasked[0].sessionKey, /^[0-9a-f-]{36}$/);
    assert.deepEqual(JSON.parse(unasked[0].displayText), { file_path: file });
});

test('with --ask-everything each read is asked, whatever the settings allow', async (t) => {
    const world = await openWorld(t);
    allowInSettings(world, ['Read', 'Bash']);
    const file = join(world.bench.work, 'notes.txt');
    writeFileSync(file, 'hello\n');
    const program = world.run('everything', [[read(file)], [bash(`cat ${file}`)], [bash('ls')]], {
        flags: ['--ask-everything'],
    });
    for (const [words, answer] of [['Read', 'Deny'], ['cat ', 'Allow once'], ['ls', 'Deny']]) {
        const card = await world.card(program, ({ text }) => text.includes(words));
        world.tap(card, answer);
        await world.concluded(card, program);
    }
    await world.ends(program);
    const seen = world.bench.llm.results('everything');
    assert.deepEqual(seen.map(({ isError }) => isError), [true, false, true]);
    assert.match(seen[1].text, /hello/);
    assert.deepEqual(
        world.records().filter(({ kind }) => kind === 'request').map(({ summary }) => summary),
        [file, `cat ${file}`, 'ls'],
    );
    assert.equal(world.record('unasked'), undefined);
});

test('with --ask-everything a policy rule answers what people need not see', async (t) => {
    const allow = '[[policy]]\nname = "reads"\neffect = "allow"\ntool = "Read"\n';
    const world = await openWorld(t, { extra: allow });
    const file = join(world.bench.work, 'notes.txt');
    writeFileSync(file, 'hello\n');
    await world.ends(world.run('by-rule', [[read(file)]], { flags: ['--ask-everything'] }));
    assert.equal(world.bench.llm.results('by-rule')[0].isError, false);
    assert.equal(world.record('decision').decidedBy, 'policy:reads');
});
