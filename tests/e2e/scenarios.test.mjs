// SPDX-License-Identifier: Apache-2.0
// The same scenarios at every desk: what is promised of one platform is promised of all.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { countersignBinary, until } from './bench.mjs';
import { claudeBinary } from './claude_env.mjs';
import { everyDesk, openDesks } from './desks.mjs';
import { bash } from './mock_llm.mjs';
import { ask, speak } from './serving.mjs';

const idOf = (n) => `01HZXAAAAAAAAAAAAAAAAAAAA${n}`;
const decisions = (world) => world.records().filter(({ kind }) => kind === 'decision');
const codeOn = (card) => /\/(?:deny|answer) ([0-9A-Z]{8})/.exec(card.text)[1];

const linesOf = (file) => readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
const questions = (id, list) => ({ type: 'question_request', approvalId: id, questions: list });
const choices = (...labels) => labels.map((label) => ({ label }));

const scenarios = {
    'the real Claude Code runs what was allowed and hears why another call was not': async (t, kind) => {
        const world = await openDesks(t, [kind]);
        const { bench } = world;
        const [first, second] = ['one', 'two'].map((name) => join(bench.work, name));
        const prompt = `${bench.llm.script('desk', [[bash(`touch ${first}`)], [bash(`touch ${second}`)]])} go`;
        const args = ['--state', bench.state, '--config', world.config, '--binary', claudeBinary(), '--prompt', prompt];
        const env = bench.claudeEnvironment();
        const program = bench.start(countersignBinary(), ['run', 'claude', ...args], { env });
        const card = await world.card({ having: `touch ${first}` });
        assert.equal(existsSync(first), false, 'it ran before it was allowed');
        await world.desk.press('alice', card, 'Allow once');
        await world.desk.denyWith('bob', await world.card({ having: `touch ${second}` }), 'one is enough');
        const { code } = await program.ended({ within: 60_000 });
        assert.equal(code, 0, program.story());
        assert.deepEqual([existsSync(first), existsSync(second)], [true, false]);
        assert.match(bench.llm.results('desk').at(-1).text, /one is enough/);
        assert.deepEqual(decisions(world).map(({ decidedBy }) => decidedBy), ['alice', 'bob']);
        world.verifies();
    },

    'the first press decides, and the next one hears who it was': async (t, kind) => {
        const world = await openDesks(t, [kind]);
        const agent = ask(world);
        const card = await world.card({ having: 'ls' });
        const copy = { ...card };
        await world.desk.press('alice', card, 'Allow');
        await world.answered(agent, 'allow_once');
        assert.match(await world.ended(card), /Allowed.* by alice/);
        assert.match(await world.desk.command('bob', `deny ${codeOn(copy)}`), /[Aa]llowed by alice/);
        const [decision] = decisions(world);
        assert.deepEqual([decision.decidedBy, decision.channel], ['alice', world.desk.kind]);
        world.verifies();
    },

    'I4 a stranger hears that they may not, and the refusal is recorded': async (t, kind) => {
        const world = await openDesks(t, [kind]);
        const agent = ask(world);
        const card = await world.card();
        assert.match(await world.desk.press('mallory', card, 'Allow'), /may not|not a person|don't know|unknown/i);
        const refused = await world.recorded('the refusal', ({ kind: what }) => what === 'refused');
        assert.equal(refused.why, 'not_authorised');
        assert.equal(agent.answer(), '');
        await world.desk.press('alice', card, 'Deny');
        await world.answered(agent, 'reject_once');
        world.verifies();
    },

    'Deny… takes words, and the agent and the log have them': async (t, kind) => {
        const world = await openDesks(t, [kind]);
        const agent = ask(world);
        const card = await world.card();
        await world.desk.denyWith('alice', card, 'not on a Friday');
        await world.answered(agent, 'not on a Friday');
        assert.match(await world.ended(card), /Denied[\s\S]*not on a Friday/);
        assert.equal(world.record('decision').reason, 'not on a Friday');
    },

    'a reply to a card decides nothing by itself': async (t, kind) => {
        const heard = ([desk]) => [`{ channel = "${desk.kind}", ${desk.places[desk.hears]} }`];
        const world = await openDesks(t, [kind], { ask: heard });
        const { hears: place } = world.desk;
        const agent = ask(world);
        const card = await world.card({ place });
        assert.match(await world.desk.type('alice', 'yes', { replyTo: card.id, place }), /reply alone doesn't decide/);
        assert.equal(agent.answer(), '');
        assert.equal(decisions(world).length, 0);
        await world.desk.press('alice', card, 'Allow');
        await world.answered(agent, 'allow_once');
    },

    'a quorum of two waits for two different people': async (t, kind) => {
        const world = await openDesks(t, [kind], { route: 'required = 2' });
        const agent = ask(world);
        const card = await world.card();
        await world.desk.press('alice', card, 'Allow');
        await world.says(card, /1 of 2/);
        await world.desk.press('alice', card, 'Allow');
        assert.equal(agent.answer(), '');
        await world.desk.press('bob', card, 'Allow');
        await world.answered(agent, 'allow_once');
        assert.match(await world.ended(card), /alice/);
        assert.equal(world.records().filter(({ kind: what }) => what === 'vote').length, 1);
        world.verifies();
    },

    'one deny ends a quorum': async (t, kind) => {
        const world = await openDesks(t, [kind], { route: 'required = 2' });
        const agent = ask(world);
        const card = await world.card();
        await world.desk.press('alice', card, 'Allow');
        await world.says(card, /1 of 2/);
        await world.desk.press('bob', card, 'Deny');
        await world.answered(agent, 'reject_once');
        assert.match(await world.ended(card), /Denied.* by bob/);
    },

    'a second step asks in another place, and both cards are concluded': async (t, kind) => {
        const ofBoth = ([desk]) => [
            `{ channel = "${desk.kind}", ${desk.places[0]} }`,
            `{ channel = "${desk.kind}", after = "1s", ${desk.places[1]} }`,
        ];
        const world = await openDesks(t, [kind], { ask: ofBoth });
        const agent = ask(world);
        const first = await world.card();
        const second = await world.card({ place: 1 });
        await world.desk.press('bob', second, 'Deny');
        await world.answered(agent, 'reject_once');
        assert.match(await world.ended(first), /Denied.* by bob/);
        assert.match(await world.ended(second), /Denied.* by bob/);
    },

    'a request that nobody answers in time has expired': async (t, kind) => {
        const world = await openDesks(t, [kind], { route: 'timeout = "3s"' });
        const agent = ask(world);
        const card = await world.card();
        assert.match(await world.ended(card), /Expired/);
        await world.answered(agent, 'expired');
        assert.match(await world.desk.command('alice', `approve ${codeOn(card)}`), /[Ee]xpired/);
        assert.equal(world.record('ended').outcome, 'expired');
    },

    'an agent that dies takes its request with it': async (t, kind) => {
        const world = await openDesks(t, [kind]);
        const agent = ask(world);
        const card = await world.card();
        agent.program.signal('SIGKILL');
        assert.match(await world.ended(card), /[Ll]ost|[Ww]ithdrawn/);
        assert.match(await world.desk.command('alice', `approve ${codeOn(card)}`), /[Ll]ost|[Ww]ithdrawn|ended/);
        assert.equal(decisions(world).length, 0);
    },

    'identical requests of a session share one card': async (t, kind) => {
        const world = await openDesks(t, [kind]);
        const event = (n) => ({
            type: 'approval_request',
            approvalId: idOf(n),
            approvalSource: 'runtime_tool',
            sessionKey: 's',
            subject: { kind: 'tool_use', toolName: 'Bash', toolId: 't', rawInput: { command: 'ls' }, displayArgs: {} },
            options: [
                { optionId: 'allow', label: 'Allow', nativeDecision: 'allow_once' },
                { optionId: 'deny', label: 'Deny', nativeDecision: 'reject_once' },
            ],
        });
        const { program } = speak(world, 'twice', [event(1), event(2)]);
        const card = await world.card();
        await world.says(card, /2|twice|identical|same/i);
        const requests = () => world.records().filter(({ kind: what }) => what === 'request');
        await until('both requests', () => requests().length === 2, { status: () => program.story() });
        assert.equal(world.cards().length, 1);
        await world.desk.press('alice', card, 'Deny');
        await until('both decisions', () => decisions(world).length === 2, { status: () => program.story() });
        await world.ended(card);
        world.verifies();
    },

    'a halt denies what is open and refuses what comes, until resume': async (t, kind) => {
        const world = await openDesks(t, [kind]);
        const agent = ask(world);
        const card = await world.card();
        assert.match(await world.desk.command('mallory', 'halt dev'), /may not|not a person|don't know|unknown/i);
        assert.match(await world.desk.command('alice', 'halt dev'), /Halted: dev/);
        await world.answered(agent, 'halted by alice');
        assert.match(await world.ended(card), /halted by alice/);
        assert.match(await world.desk.command('alice', 'resume dev'), /may ask again/);
        const next = ask(world, idOf(2));
        await world.desk.press('alice', await world.card({ not: [card.id] }), 'Allow');
        await world.answered(next, 'allow_once');
        world.verifies();
    },

    'I12 after a crash of the hub the request goes on in a new card, and the old one says so': async (t, kind) => {
        const world = await openDesks(t, [kind]);
        const agent = ask(world);
        const old = await world.card();
        await world.recorded('the note of the card', ({ kind: what }) => what === 'presented');
        await world.restart();
        const card = await world.card({ not: [old.id] });
        await world.says(card, /after a restart/);
        assert.match(await world.ended(old), /newer message|restarted/);
        assert.equal(agent.answer(), '');
        await world.desk.press('alice', card, 'Allow');
        await world.answered(agent, 'allow_once');
        assert.equal(decisions(world).length, 1);
        world.verifies();
    },

    'I7 a call that no card can hold goes ahead as a file': async (t, kind) => {
        const world = await openDesks(t, [kind]);
        const command = `echo ${'abcdefghi '.repeat(3000)}`;
        const agent = ask(world, idOf(1), { command });
        const card = await world.card();
        const file = world.desk.shown().find((message) => message.file);
        assert.ok(file, 'the whole text is there as a file');
        assert.ok(file.file.includes(command.trim()));
        await world.desk.press('alice', card, 'Allow');
        await world.answered(agent, 'allow_once');
    },

    'a question is answered by one press on a choice': async (t, kind) => {
        const world = await openDesks(t, [kind]);
        const list = [{ questionId: 'db', text: 'Which database?', choices: choices('SQLite', 'PostgreSQL') }];
        const { heard } = speak(world, 'asks', [questions(idOf(1), list)]);
        const card = await world.card({ having: 'Which database?' });
        await world.desk.press('alice', card, card.labels.find((label) => label.includes('PostgreSQL')));
        await world.recorded('the answer', ({ decision }) => decision === 'answered');
        assert.match(await world.ended(card), /PostgreSQL/);
        const answer = await until('the agent to hear it', () => linesOf(heard).find((line) => line.resolvedQuestions));
        assert.deepEqual(answer.resolvedQuestions[0].answers, [{ questionId: 'db', choices: ['PostgreSQL'] }]);
        world.verifies();
    },

    'several questions are answered together': async (t, kind) => {
        const world = await openDesks(t, [kind]);
        const list = [
            { questionId: 'db', text: 'Which database?', choices: choices('SQLite', 'PostgreSQL') },
            { questionId: 'os', text: 'Which targets?', choices: choices('web', 'ios', 'tv'), multiple: true },
        ];
        const { heard } = speak(world, 'bundle', [questions(idOf(1), list)]);
        const card = await world.card({ having: 'Which targets?' });
        await world.desk.fill('alice', card, [[2], [1, 3]]);
        const answer = await until('the agent to hear it', () => linesOf(heard).find((line) => line.resolvedQuestions));
        const [{ answers, outcome }] = answer.resolvedQuestions;
        assert.equal(outcome, 'answered');
        const chosen = Object.fromEntries(answers.map(({ questionId, choices: all }) => [questionId, all]));
        assert.deepEqual(chosen, { db: ['PostgreSQL'], os: ['web', 'tv'] });
        await world.ended(card);
        world.verifies();
    },
};

for (const kind of everyDesk) {
    for (const [name, scenario] of Object.entries(scenarios)) {
        test(`${new kind().kind}: ${name}`, (t) => scenario(t, kind));
    }
}
