// SPDX-License-Identifier: Apache-2.0
// A hub that dies while agents of other processes wait: nothing runs, nothing is lost, and no tap goes unanswered.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { openWorld } from './approval_world.mjs';
import { until } from './bench.mjs';
import { ask, serve, startHub } from './serving.mjs';

const firstPerson = 1000;
const person = (i) => firstPerson + i;

// Each agent asks a person of its own, in their private chat: no chat has more than a few messages to take at once.
async function openCrowd(t, people) {
    const world = await openWorld(t);
    const all = Array.from({ length: people }, (_, i) => i);
    for (const i of all) world.bench.simulator.addUser({ id: person(i), first_name: `P${i}` });
    const everybody = all.map((i) => `[people.p${i}]\ntelegram = ${person(i)}\nroles = ["approve"]\n`);
    const routes = all.map((i) => {
        const match = i + 1 < people ? `match = { agent = "a${i}" }\n` : '';
        return `[[routes]]\n${match}ask = [ { channel = "phone", people = ["p${i}"] } ]\ndeciders = ["p${i}"]\n`;
    });
    const token = join(world.bench.directory, 'token');
    const channel = `[channels.phone]
kind = "telegram"
token_file = "${token}"
base_url = "${world.bench.simulator.url}"
`;
    writeFileSync(world.config, [...everybody, channel, ...routes].join('\n'), { mode: 0o600 });
    return world;
}
const idOf = (i) => `01HZXAAAAAAAAAAAAAAAAAAA${String(i).padStart(2, '0')}`;
const askOne = (world, i, people) =>
    ask(world, idOf(i), { agent: `a${i % people}`, command: `make target-${i}` });
const ofRequest = (world, id) => world.bench.simulator.messages().filter(({ text }) => text.includes(id));
const withButtons = (world, id) => ofRequest(world, id).filter(({ keyboard }) => keyboard.length > 0);
const sameAs = (card) => (other) => other.chat === card.chat && other.message_id === card.message_id;
const dataOf = (card, label) => card.keyboard.flat().find(({ text }) => text === label).callback_data;
const tap = (world, card, label) =>
    world.bench.simulator.tap({ user: card.chat, message: card.message_id, data: dataOf(card, label) });
const hear = (world, tapped) => world.answered(tapped).then(({ text }) => text);
const kill = async (hub) => {
    hub.signal('SIGKILL');
    await hub.ended();
};
// One card with buttons for each, newer than those that are known.
const cardsOf = (world, agents, hub, older = []) =>
    until(
        'a card for each agent',
        () => {
            const isOld = (card) => older.some(sameAs(card));
            const cards = agents.map(({ id }) => withButtons(world, id).find((card) => !isOld(card)));
            return cards.every(Boolean) && cards;
        },
        { within: 60_000, status: () => hub.story() },
    );
const shownOnDisk = (world, count) =>
    until('the log to have each card', () => {
        const shown = world.records().filter(({ kind }) => kind === 'presented');
        return new Set(shown.map(({ requestId }) => requestId)).size === count;
    });

test('I12 40 sidecars wait, the hub is killed: old buttons lead to new ones, each gets its own answer', async (t) => {
    const people = 20;
    const world = await openCrowd(t, people);
    const first = await serve(world);
    const agents = Array.from({ length: 40 }, (_, i) => askOne(world, i, people));
    const old = await cardsOf(world, agents, first);
    await shownOnDisk(world, agents.length);
    await kill(first);

    const second = await serve(world);
    const fresh = await cardsOf(world, agents, second, old);
    // A client that has not heard of the change still has the old button.
    const late = old.map((card) => tap(world, card, 'Allow'));
    for (const tapped of late) assert.match(await hear(world, tapped), /replaced by a newer one below/);
    assert.deepEqual(agents.map(({ answer }) => answer()).filter(Boolean), [], 'nothing runs by an old button');
    await until('each old card to lead on', () =>
        old.every((card) => {
            const now = world.bench.simulator.messages({ chat: card.chat }).find(sameAs(card));
            return now.keyboard.length === 0 && now.text.includes('continued in a newer message');
        }),
    );
    for (const card of fresh) assert.match(card.text, /shown again after a restart/);

    const choice = (i) => (i % 3 === 0 ? 'Deny' : 'Allow');
    fresh.forEach((card, i) => tap(world, card, choice(i)));
    for (const [i, agent] of agents.entries()) {
        await world.ends(agent.program);
        const { resolvedApprovals } = JSON.parse(agent.answer());
        assert.equal(resolvedApprovals[0].approvalId, agent.id);
        assert.equal(resolvedApprovals[0].nativeDecision, choice(i) === 'Allow' ? 'allow_once' : 'reject_once');
    }
    world.verifies();
    const count = (kind) => world.records().filter((record) => record.kind === kind).length;
    assert.equal(count('request'), 40);
    assert.equal(count('resumed'), 40);
    assert.equal(count('decision'), 40);
    await until('the log to know that each agent has its answer', () => count('forwarded') === 40);
    // And whoever taps the oldest button now hears who decided.
    assert.match(await hear(world, tap(world, old[1], 'Allow')), /Allowed by p1/);
});

test('I12 a hub that is killed and stopped again and again ends each request once', async (t) => {
    const world = await openCrowd(t, 4);
    const own = askOne(world, 0, 4); // the first is the hub
    await cardsOf(world, [own], own.program);
    const agents = [own, ...[1, 2, 3].map((i) => askOne(world, i, 4))];
    const waiting = agents.slice(1);
    await cardsOf(world, agents, agents[0].program);
    await shownOnDisk(world, agents.length);
    await kill(agents[0].program);
    assert.equal(agents[0].answer(), '', 'its own agent died unanswered');

    for (const [round, wait] of [0, 20, 60, 120, 250, 500].entries()) {
        const hub = startHub(world);
        const started = performance.now();
        await until('the moment', () => performance.now() - started > wait, { every: 1 });
        hub.signal(round % 3 === 2 ? 'SIGTERM' : 'SIGKILL');
        await hub.ended();
    }
    const older = world.bench.simulator.messages();
    const hub = await serve(world);
    const cards = await cardsOf(world, waiting, hub, older);
    for (const card of cards) assert.match(await hear(world, tap(world, card, 'Allow')), /^Allowed\. Record \d+/);
    for (const agent of waiting) {
        await world.ends(agent.program);
        assert.match(agent.answer(), /allow_once/);
    }
    world.verifies();
    const lost = world.records().filter(({ kind, outcome }) => kind === 'ended' && outcome === 'lost');
    assert.deepEqual(lost.map(({ requestId }) => requestId), [agents[0].id], 'only what died with its hub is lost');
});

test('I16 a tap right after a quick restart counts, though Telegram holds the first poll', async (t) => {
    const world = await openCrowd(t, 1);
    const first = await serve(world);
    const agent = askOne(world, 0, 1);
    const [old] = await cardsOf(world, [agent], first);
    await shownOnDisk(world, 1);
    await kill(first);
    const second = await serve(world);
    const [card] = await cardsOf(world, [agent], second, [old]);
    assert.match(await hear(world, tap(world, card, 'Allow')), /ecorded|Allowed/);
    await world.ends(agent.program);
    assert.match(agent.answer(), /allow_once/);
    assert.equal(world.records().filter(({ kind, why }) => kind === 'refused' && why === 'late').length, 0);
    world.verifies();
});

test('I12 a request whose deadline passed while no hub ran has expired at the next start', async (t) => {
    const world = await openWorld(t, { extra: 'timeout = "5s"' });
    const first = await serve(world);
    const agent = ask(world);
    const card = await world.card(agent.program);
    await shownOnDisk(world, 1);
    await kill(first);
    const killed = performance.now();
    await until('the deadline', () => performance.now() - killed > 6000);
    const second = await serve(world);
    const started = performance.now();
    assert.match(await world.concluded(card, second), /Expired/);
    const isExpired = ({ kind, outcome }) => kind === 'ended' && outcome === 'expired';
    await until('its record', () => world.records().some(isExpired));
    assert.ok(performance.now() - started < 20_000, 'no wait for the agent');
    await agent.program.ended({ within: 60_000 });
    assert.doesNotMatch(agent.answer(), /allow_once/);
    world.verifies();
});
