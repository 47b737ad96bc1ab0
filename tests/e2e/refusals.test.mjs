// SPDX-License-Identifier: Apache-2.0
// Forged and stale buttons: each is answered, decides nothing, leaves a trace, and goes where it can.
import assert from 'node:assert/strict';
import test from 'node:test';
import { alice, mallory, openWorld } from './approval_world.mjs';
import { until } from './bench.mjs';
import { answered, ask, command, serve } from './serving.mjs';

const post = (world, method, body) =>
    fetch(`${world.bench.simulator.url}/bot${world.bench.simulator.token}/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
    }).then((response) => response.json());
const dataOf = (card, label) => card.keyboard.flat().find(({ text }) => text === label).callback_data;
const hear = (world, tapped) => world.answered(tapped).then(({ text }) => text);
const refusals = (world) => world.records().filter(({ kind }) => kind === 'refused');
// The same keyboard on another message of the bot, which the hub knows nothing of.
const copyOf = async (world, card) => {
    const inline_keyboard = card.keyboard;
    const sent = await post(world, 'sendMessage', {
        chat_id: card.chat,
        text: 'an old copy',
        reply_markup: { inline_keyboard },
    });
    return { chat: card.chat, message_id: sent.result.message_id };
};
const tap = (world, message, data, user = alice) =>
    world.bench.simulator.tap({ user, chat: message.chat, message: message.message_id, data });

test('I11 forged buttons, wrong chats and wrong codes leave records, a line each and no decision', async (t) => {
    const world = await openWorld(t, { group: true, extra: '[gateway]\nadmin = "127.0.0.1:0"' });
    const hub = await serve(world);
    const agent = ask(world);
    const card = await world.card(agent.program);
    const data = dataOf(card, 'Allow');
    const forged = data.slice(0, -1) + (data.endsWith('A') ? 'B' : 'A');
    assert.match(await hear(world, tap(world, card, forged, mallory)), /does not work here/);
    assert.match(await hear(world, tap(world, card, 'something else', mallory)), /isn.t one of mine/);
    world.bench.simulator.say({ user: mallory, chat: card.chat, text: '/approve 00000000' });
    world.bench.simulator.say({ user: alice, chat: card.chat, text: '/approve 00000000' });
    world.bench.simulator.say({ user: alice, chat: card.chat, anonymous: true, text: '/halt dev' });
    const found = await until('five records', () => refusals(world).length >= 5 && refusals(world), {
        status: () => hub.story(),
    });
    assert.deepEqual(found.map(({ why }) => why).sort(), [
        ...['bad_signature', 'malformed', 'unknown_request', 'unknown_request', 'unsupported'],
    ]);
    assert.equal(found.find(({ why }) => why === 'bad_signature').requestId, agent.id);
    // Lines arrive through a pipe, a moment after their records are on disk.
    const lines = () => [...hub.out, ...hub.err].filter((line) => line.includes('refused: telegram:'));
    await until('a line for each', () => lines().length >= 5, { status: () => hub.story() });
    const port = hub.err.map((line) => /listening on 127.0.0.1 port (\d+)/.exec(line)?.[1]).find(Boolean);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    assert.match(metrics, /^countersign_attempts_refused_total 5$/m);
    world.tap(card, 'Allow');
    await answered(agent, 'allow_once', hub);
    assert.equal(lines().length, 5, hub.story());
    world.verifies();
});

for (const group of [false, true]) {
    test(`I11 edited and scheduled commands in a ${group ? 'group' : 'private chat'} are refused`, async (t) => {
        const world = await openWorld(t, { group });
        const hub = await serve(world);
        const agent = ask(world);
        const card = await world.card(agent.program);
        const { simulator } = world.bench;
        const { message_id: message } = simulator.say({ user: alice, chat: card.chat, text: '/pending' });
        const replies = () => simulator.calls('sendMessage').map(({ body }) => body.text);
        await until('the list', () => replies().some((text) => text.startsWith('Open ')));
        for (const text of [`/approve ${agent.id}`, `/approve ${agent.id} now`]) {
            simulator.edit({ chat: card.chat, message, text });
        }
        simulator.say({ user: alice, chat: card.chat, automatic: true, text: `/approve ${agent.id}` });
        await until('the records', () => refusals(world).length === 3, { status: () => hub.story() });
        assert.deepEqual(
            refusals(world).map(({ detail }) => detail),
            ['an edited message', 'an edited message', 'a scheduled or automatic message'],
        );
        await until('the last answer', () => replies().some((text) => text.startsWith('A scheduled or automatic')));
        assert.equal(replies().filter((text) => text.startsWith('Edited messages')).length, 1, 'said once');
        assert.equal(agent.answer(), '');
        world.tap(card, 'Deny');
        await answered(agent, 'reject_once', hub);
        world.verifies();
    });
}

test('I7 many blank lines of a call are counted on the card and in the review', async (t) => {
    const world = await openWorld(t);
    const hub = await serve(world);
    const agent = ask(world, undefined, { command: `ls${'\n'.repeat(61)}⋮ 7 blank lines\nrm -rf x\n\n\nid` });
    const card = await world.card(agent.program);
    assert.match(card.text, /ls\n⋮ 60 blank lines\n⋮ 7 blank lines\nrm -rf x\n\n\nid/);
    world.tap(card, 'Deny');
    await answered(agent, 'reject_once', hub);
    const shown = command(world, 'audit', 'show', agent.id);
    assert.match(shown, /\n {6}ls\n⋮ 60 blank lines\n {6}⋮ 7 blank lines\n {6}rm -rf x\n *\n *\n {6}id\n/);
});

test('I10 a button counts on no message that the hub did not send, and nothing is presented there', async (t) => {
    const world = await openWorld(t);
    const hub = await serve(world);
    const agent = ask(world);
    const card = await world.card(agent.program);
    const copy = await copyOf(world, card);
    assert.match(await hear(world, tap(world, copy, dataOf(card, 'Allow'))), /does not work here/);
    await world.concluded(copy, hub);
    assert.equal(agent.answer(), '');
    assert.equal(world.records().filter(({ kind }) => kind === 'presented').length, 1);
    assert.equal(refusals(world).at(-1).why, 'not_shown');
    world.tap(card, 'Deny');
    await answered(agent, 'reject_once', hub);
    world.verifies();
});

test('I3 a card that was sent twice: the copy that nobody knew is closed by the tap on it, also later', async (t) => {
    const world = await openWorld(t);
    const first = await serve(world);
    world.bench.simulator.fail({ method: 'sendMessage', kind: 'cut' });
    const agent = ask(world);
    const [lost, card] = await until('both copies', () => world.cards().length === 2 && world.cards(), {
        within: 60_000,
        status: () => first.story(),
    });
    world.tap(card, 'Deny');
    await answered(agent, 'reject_once', first);
    await world.concluded(card, first);
    assert.equal(world.cards().length, 1, 'the first copy has its buttons still');
    first.signal('SIGTERM');
    await first.ended();
    const second = await serve(world);
    assert.match(await hear(world, tap(world, lost, dataOf(lost, 'Allow'))), /Denied by alice/);
    assert.match(await world.concluded(lost, second), /Denied/);
    world.verifies();
});
