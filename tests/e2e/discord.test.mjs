// SPDX-License-Identifier: Apache-2.0
// Approvals and questions on Discord, over the Gateway and by webhook: the real program against the simulator that
// Discord's own packages have proved.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { until } from './bench.mjs';
import {
    alice,
    answer,
    bob,
    card,
    cards,
    channel,
    codeOn,
    discordMax,
    ended,
    ephemeral,
    mallory,
    openWorld,
    refusals,
    toldTo,
} from './discord_world.mjs';
import { answered, ask, command, speak } from './serving.mjs';

const idOf = (n) => `01HZXAAAAAAAAAAAAAAAAAAAA${n}`;
const recordsOf = (world) =>
    command(world, 'audit', 'tail', '--json', '-n', '1000')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
const questions = (id, list) => ({ type: 'question_request', approvalId: id, questions: list });
const choices = (...labels) => labels.map((label) => ({ label }));
const answersOf = ({ heard }, hub) =>
    until(
        'the agent to hear the answers',
        () => {
            const lines = readFileSync(heard, 'utf8').split('\n').filter(Boolean);
            return lines.map((line) => JSON.parse(line)).find((line) => line.resolvedQuestions)?.resolvedQuestions[0];
        },
        { within: 30_000, status: () => hub.story() },
    );

for (const webhook of [false, true]) {
    const how = webhook ? 'webhook' : 'Gateway';

    test(`${how}: a click decides, and a stranger's is refused to them alone`, async (t) => {
        const here = await openWorld(t, { webhook });
        const { discord, world, hub } = here;
        const agent = ask(world);
        const message = await card(here);
        const refused = await discord.press({ user: mallory, message, label: 'Allow' });
        assert.equal(refused.body.type, answer.words);
        assert.ok(refused.body.data.flags & ephemeral, 'nobody else reads it');
        assert.match(toldTo(discord, mallory)[0], new RegExp(`discord:${mallory}`));
        const advice = `discord = "${mallory}"`; // as the configuration takes it
        await until(advice, () => hub.out.some((line) => line.includes(advice)), { status: () => hub.story() });
        assert.equal(agent.answer(), '');
        const { took } = await discord.press({ user: alice, message, label: 'Allow' });
        assert.ok(took < discordMax);
        await answered(agent, 'allow_once', hub);
        assert.match(await ended(here, message), /Allowed.* by alice on desk/);
        assert.deepEqual(refusals(discord), []);
    });

    test(`${how}: a reason is typed into a modal`, async (t) => {
        const here = await openWorld(t, { webhook });
        const { discord, world, hub } = here;
        const agent = ask(world);
        const message = await card(here);
        const { body } = await discord.press({ user: alice, message, label: 'Deny…' });
        assert.equal(body.type, answer.modal);
        const [modal] = discord.modals;
        await discord.submit({ modal, values: { reason: 'not on a Friday' } });
        await answered(agent, 'reject_once', hub);
        assert.match(await ended(here, message), /Denied[^]*not on a Friday/);
        assert.deepEqual(refusals(discord), []);
    });

    test(`${how}: slash commands are answered in their reply, to the sender alone`, async (t) => {
        const here = await openWorld(t, { webhook });
        const { discord, world, hub } = here;
        const agent = ask(world);
        const code = codeOn(discord, await card(here));
        const type = (user, name, options) => discord.slash({ user, channel, command: name, options });
        const listed = await type(bob, 'pending');
        assert.equal(listed.body.type, answer.words);
        assert.ok(listed.body.data.flags & ephemeral);
        assert.match(toldTo(discord, bob)[0], new RegExp(code));
        await type(mallory, 'approve', { code });
        assert.equal(agent.answer(), '');
        assert.equal(toldTo(discord, mallory).length, 1);
        await type(bob, 'deny', { code, reason: 'not now' });
        assert.match(toldTo(discord, bob)[1], /Denied/);
        await answered(agent, 'not now', hub);
        await type(alice, 'countersign', { words: 'grants' });
        await type(alice, 'halt', { name: 'dev' });
        assert.match(toldTo(discord, alice)[1], /Halted: dev/);
        await type(alice, 'countersign', { words: 'resume dev' });
        assert.match(toldTo(discord, alice)[2], /may ask again/);
    });

    test(`${how}: the whole text of a call is a file for the person who asked for it`, async (t) => {
        const here = await openWorld(t, { webhook });
        const { discord, world, hub } = here;
        const agent = ask(world, idOf(1), { command: 'ls "whole"' });
        const options = { words: `more ${codeOn(discord, await card(here))}` };
        await discord.slash({ user: bob, channel, command: 'countersign', options });
        const isWhole = ({ ephemeral: reader, files }) => reader === bob && files[0]?.content.includes('ls "whole"');
        await until('the file', () => discord.messages().find(isWhole), { status: () => hub.story() });
        assert.equal(discord.messages({ ephemeral: true }).length, 1, 'it replaced what said "thinking"');
        agent.program.signal('SIGKILL');
    });

    test(`${how}: one card takes a choice, several choices and words`, async (t) => {
        const here = await openWorld(t, { webhook });
        const { discord, world, hub } = here;
        const list = [
            { questionId: 'db', text: 'Which database?', choices: choices('SQLite', 'PostgreSQL') },
            { questionId: 'os', text: 'Which targets?', choices: choices('web', 'ios', 'tv'), multiple: true },
            { questionId: 'name', text: 'What is it called?', freeText: true },
        ];
        const agent = speak(world, 'bundle', [questions(idOf(1), list)]);
        const isCard = (message) => discord.labels(message).includes('Submit');
        const message = await until('a card', () => discord.messages().find(isCard), { status: () => hub.story() });
        assert.equal(discord.messages({ ephemeral: false }).length, 1);
        await discord.choose({ user: alice, message, labels: ['2. PostgreSQL'] });
        await discord.choose({ user: alice, message, labels: ['1. web', '3. tv'] });
        await discord.press({ user: alice, message, label: 'Answer…' });
        await discord.submit({ modal: discord.modals[0], values: { q2: 'Ledger *of* `things`' } });
        await discord.press({ user: alice, message, label: 'Submit' });
        const { answers, outcome } = await answersOf(agent, hub);
        assert.equal(outcome, 'answered');
        const pairOf = ({ questionId, choices: all, text }) => [questionId, text ?? all];
        const given = Object.fromEntries(answers.map(pairOf));
        assert.deepEqual(given, { db: ['PostgreSQL'], os: ['web', 'tv'], name: 'Ledger *of* `things`' });
        assert.match(await ended(here, message), /PostgreSQL[^]*web[^]*tv/);
        assert.deepEqual(refusals(discord), []);
    });

    test(`${how}: a question that wants words is answered in a modal`, async (t) => {
        const here = await openWorld(t, { webhook });
        const { discord, world, hub } = here;
        const list = [{ questionId: 'why', text: 'Why?', freeText: true }];
        const agent = speak(world, 'words', [questions(idOf(1), list)]);
        const isCard = (message) => discord.labels(message).includes('Answer…');
        const message = await until('a card', () => discord.messages().find(isCard), { status: () => hub.story() });
        await discord.press({ user: bob, message, label: 'Answer…' });
        await discord.submit({ modal: discord.modals[0], values: { q0: 'because' } });
        const { answers } = await answersOf(agent, hub);
        assert.equal(answers[0].text, 'because');
        await ended(here, message);
        assert.deepEqual(refusals(discord), []);
    });

    test(`${how}: the same interaction twice is handled once`, async (t) => {
        const here = await openWorld(t, { webhook });
        const { discord, world, hub } = here;
        const first = ask(world);
        const message = await card(here);
        const { interaction } = await discord.press({ user: alice, message, label: 'Deny' });
        await answered(first, 'reject_once', hub);
        await ended(here, message);
        const second = ask(world, idOf(2));
        const next = await card(here);
        const answers = [await discord.redeliver(interaction), await discord.redeliver(interaction)];
        if (webhook) assert.deepEqual(answers.map(({ body }) => body.type), [answer.deferred, answer.deferred]);
        const route = 'POST /interactions/:id/:token/callback';
        const tries = () => discord.calls(route).filter(({ params }) => params.id === interaction.id).length;
        await until('each to be acknowledged', () => webhook || tries() === 3, { status: () => hub.story() });
        await discord.press({ user: alice, message: next, label: 'Allow' });
        await answered(second, 'allow_once', hub);
        assert.equal(recordsOf(world).filter(({ kind }) => kind === 'decision').length, 2);
        assert.equal(recordsOf(world).filter(({ kind }) => kind === 'refused').length, 0, 'nor is it refused');
        assert.deepEqual(toldTo(discord, alice), []);
    });
}

test('webhook: a PING is answered, and wrong signatures are refused with 401', async (t) => {
    const { discord, world, hub } = await openWorld(t, { webhook: true });
    const pong = await discord.ping();
    assert.deepEqual([pong.status, pong.body], [200, { type: 1 }]);
    assert.equal(await discord.verify(), true, 'Discord takes the address');
    const now = Math.floor(Date.now() / 1000);
    const wrong = [
        { signature: '00'.repeat(64) },
        { signature: 'no hex' },
        { timestamp: '' },
        { alter: (text) => `${text} ` },
        { timestamp: String(now - 310) },
        { timestamp: String(now + 310) },
    ];
    for (const signed of wrong) {
        const { status, body } = await discord.ping({ signed });
        assert.deepEqual([status, body], [401, ''], JSON.stringify(signed));
    }
    const early = await discord.ping({ signed: { timestamp: String(now + 290) } });
    assert.equal(early.status, 200, 'clocks differ by a few minutes');
    const isRefusal = ({ kind, channel: at }) => kind === 'refused' && at === 'desk';
    await until('a record of the refusals', () => recordsOf(world).some(isRefusal), { status: () => hub.story() });
});

test('webhook: a click with a wrong signature decides nothing', async (t) => {
    const here = await openWorld(t, { webhook: true });
    const { discord, world, hub } = here;
    const agent = ask(world);
    const message = await card(here);
    const act = { user: alice, message, label: 'Allow' };
    const forged = await discord.press({ ...act, signed: { alter: (text) => text.replace('Acme', 'Evil') + ' ' } });
    assert.equal(forged.status, 401);
    const old = await discord.press({ ...act, signed: { timestamp: String(Math.floor(Date.now() / 1000) - 310) } });
    assert.equal(old.status, 401);
    assert.equal(agent.answer(), '');
    await discord.press({ user: alice, message, label: 'Deny' });
    await answered(agent, 'reject_once', hub);
});

test('I7 a long call is attached as a file before anyone can allow it', async (t) => {
    const here = await openWorld(t);
    const { discord, world, hub } = here;
    const text = 'x '.repeat(8000).trim();
    const agent = ask(world, idOf(1), { command: `echo ${text}` });
    const message = await card(here);
    const [first] = discord.messages({ ephemeral: false });
    assert.notEqual(first, message, 'the file comes first');
    assert.ok(first.files[0].content.includes(text));
    assert.ok(discord.labels(message).includes('Allow'));
    await discord.press({ user: alice, message, label: 'Allow' });
    await answered(agent, 'allow_once', hub);
});

test('I7 where the bot may attach no file, the card can only be denied', async (t) => {
    const here = await openWorld(t, { prepare: (discord) => discord.deny(channel, 'ATTACH_FILES') });
    const { discord, world, hub } = here;
    const agent = ask(world, idOf(1), { command: `echo ${'x '.repeat(8000)}` });
    const message = await card(here);
    assert.equal(discord.labels(message).includes('Allow'), false);
    await discord.press({ user: alice, message, label: 'Deny' });
    await answered(agent, 'reject_once', hub);
});

const call = (n, sessionKey, command) => ({
    type: 'approval_request',
    approvalId: idOf(n),
    approvalSource: 'runtime_tool',
    sessionKey,
    subject: { kind: 'tool_use', toolName: 'Bash', toolId: 't', rawInput: { command }, displayArgs: {} },
    options: [
        { optionId: 'allow', label: 'Allow', nativeDecision: 'allow_once' },
        { optionId: 'deny', label: 'Deny', nativeDecision: 'reject_once' },
    ],
});

test('the cards of one session go into a thread of their own', async (t) => {
    const here = await openWorld(t);
    const { discord, world, hub } = here;
    // A session's thread hangs below its first card, so that one must be there before the next is asked.
    speak(world, 'one', [call(1, 'first', 'ls 1')], { agent: 'agent' });
    await card(here);
    speak(world, 'two', [call(2, 'first', 'ls 2'), call(3, 'second', 'ls 3')], { agent: 'agent' });
    const all = await until('three cards', () => cards(discord).length === 3 && cards(discord), {
        status: () => hub.story(),
    });
    const of = (words) => all.find((message) => discord.text(message).includes(words));
    const first = of('ls 1');
    assert.equal(first.channel, channel);
    assert.equal(of('ls 2').channel, first.thread, 'the second card is in the thread of the first');
    assert.equal(of('ls 3').channel, channel, 'another session is not');
    assert.match(discord.world.channel(first.thread).name, /first/);
    await discord.press({ user: alice, message: of('ls 2'), label: 'Deny' });
    assert.match(await ended(here, of('ls 2')), /Denied.* by alice/);
});

test('a step to a person is a direct message, and a command typed there is heard', async (t) => {
    const here = await openWorld(t, { steps: '{ channel = "desk", people = ["alice"] }' });
    const { discord, world, hub } = here;
    const agent = ask(world);
    const message = await card(here);
    assert.equal(discord.world.channel(message.channel).recipient, alice);
    const text = `deny ${codeOn(discord, message)} not today`;
    const { delivered } = await discord.say({ user: alice, channel: message.channel, text });
    assert.equal(delivered, true);
    await answered(agent, 'not today', hub);
    await ended(here, message);
});
