// SPDX-License-Identifier: Apache-2.0
// The real Claude Code CLI against the mock model, with its questions answered by hand: proves the bench before
// Countersign stands in between.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { openBench } from './bench.mjs';
import { bash, call } from './mock_llm.mjs';

const startup = { within: 60_000 };

const prompt = (text) => ({
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
    session_id: '',
});
const answer = ({ request_id }, response) => ({
    type: 'control_response',
    response: { subtype: 'success', request_id, response },
});
const asked = (claude) => claude.json('a question', (line) => line.request?.subtype === 'can_use_tool', startup);
const finished = (claude) => claude.json('its result', (line) => line.type === 'result', startup);

test('an allowed command of the real CLI runs, and the model sees that it did', async (t) => {
    const bench = await openBench(t);
    const claude = bench.startClaude();
    const file = join(bench.work, 'made');
    claude.send(prompt(`${bench.llm.script('allow', [[bash(`touch ${file}`)]])} go`));
    const question = await asked(claude);
    assert.equal(question.request.tool_name, 'Bash');
    assert.equal(question.request.input.command, `touch ${file}`);
    assert.equal(existsSync(file), false, 'it ran before it was answered');
    claude.send(answer(question, { behavior: 'allow', updatedInput: question.request.input }));
    assert.equal((await finished(claude)).subtype, 'success');
    assert.equal(existsSync(file), true);
    assert.deepEqual(
        bench.llm.results('allow').map(({ name, isError }) => [name, isError]),
        [['Bash', false]],
    );
    assert.equal(bench.llm.turns('allow'), 2);
});

test('a denied command does not run, and the reason reaches the model', async (t) => {
    const bench = await openBench(t);
    const claude = bench.startClaude();
    const file = join(bench.work, 'made');
    claude.send(prompt(`${bench.llm.script('deny', [[bash(`touch ${file}`)]])} go`));
    claude.send(answer(await asked(claude), { behavior: 'deny', message: 'Alice said: not on a Friday' }));
    const result = await finished(claude);
    assert.equal(existsSync(file), false);
    const [seen] = bench.llm.results('deny');
    assert.equal(seen.isError, true);
    assert.match(seen.text, /Alice said: not on a Friday/);
    assert.equal(result.permission_denials.length, 1);
});

test('two parallel calls are both asked about, and each gets its own answer', async (t) => {
    const bench = await openBench(t);
    const claude = bench.startClaude();
    const fetches = ['a', 'b'].map((page) => call('WebFetch', { url: `http://127.0.0.1:9/${page}`, prompt: 'x' }));
    claude.send(prompt(`${bench.llm.script('both', [fetches])} go`));
    const questions = [await asked(claude), await asked(claude)];
    for (const question of questions) {
        claude.send(answer(question, { behavior: 'deny', message: `not ${question.request.input.url.at(-1)}` }));
    }
    await finished(claude);
    assert.deepEqual(
        bench.llm.results('both').map(({ input, text }) => [input.url.at(-1), text]),
        [
            ['a', 'not a'],
            ['b', 'not b'],
        ],
    );
});

test('the CLI talks to the mock model alone', async (t) => {
    const bench = await openBench(t);
    const claude = bench.startClaude();
    claude.send(prompt(`${bench.llm.script('quiet', [[bash('true')]], 'All quiet.')} go`));
    const result = await finished(claude);
    assert.equal(result.result, 'All quiet.');
    claude.closeInput();
    assert.equal((await claude.ended()).code, 0);
    assert.deepEqual(bench.proxy.attempts, []);
    assert.deepEqual(bench.llm.unknown, []);
});

test('what an agent tries outside is refused by the proxy and listed', async (t) => {
    const bench = await openBench(t);
    const claude = bench.startClaude();
    const page = call('WebFetch', { url: 'https://outside.invalid/', prompt: 'What does it say?' });
    claude.send(prompt(`${bench.llm.script('outside', [[page]])} go`));
    const question = await asked(claude);
    claude.send(answer(question, { behavior: 'allow', updatedInput: question.request.input }));
    await finished(claude);
    // Before it fetches a page, the CLI asks its maker whether the host is a good one, also with another base URL.
    assert.deepEqual(bench.proxy.attempts, ['CONNECT api.anthropic.com:443']);
    assert.equal(bench.llm.results('outside')[0].isError, true);
});
