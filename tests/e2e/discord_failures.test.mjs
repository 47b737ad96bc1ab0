// SPDX-License-Identifier: Apache-2.0
// What goes wrong with Discord, and what people and agents see of it.
import assert from 'node:assert/strict';
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
    mallory,
    openWorld,
    toldTo,
} from './discord_world.mjs';
import { answered, ask, command, onSlowDisk, outbox } from './serving.mjs';

const idOf = (n) => `01HZXAAAAAAAAAAAAAAAAAAAA${n}`;
const patient = 60_000;

const recordsOf = (world) =>
    command(world, 'audit', 'tail', '--json', '-n', '1000')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
const decisions = (world) => recordsOf(world).filter(({ kind }) => kind === 'decision');
const isOpen = (discord, message) => discord.labels(message).length > 0;
const linesOf = (hub) => [...hub.out, ...hub.err];
const told = (hub, words) =>
    until(`the operator to read ${words}`, () => linesOf(hub).find((line) => words.test(line)), {
        status: () => hub.story(),
    });

const askFor = (world, n) => ask(world, idOf(n), { command: `ls ${n}` });
const cardOf = ({ discord, hub }, n) =>
    until(`the card of ls ${n}`, () => cards(discord).find((one) => discord.text(one).includes(`ls ${n}`)), {
        within: patient,
        status: () => hub.story(),
    });

for (const webhook of [false, true]) {
    const how = webhook ? 'webhook' : 'Gateway';

    // A hub on such a disk takes ten seconds to start, so one does for all of it.
    test(`${how}: while the log is slow people are acknowledged, and results still arrive`, async (t) => {
        const here = await openWorld(t, { webhook, wrap: onSlowDisk });
        const { discord, world, hub } = here;
        const agents = [1, 2, 3].map((n) => askFor(world, n));
        const [clicked, typed, late] = await Promise.all([1, 2, 3].map((n) => cardOf(here, n)));
        const approve = (user, message) =>
            discord.slash({ user, channel, command: 'approve', options: { code: codeOn(discord, message) } });
        const [click, slash] = await Promise.all([
            discord.press({ user: alice, message: clicked, label: 'Allow' }),
            approve(bob, typed),
        ]);
        assert.ok(Math.max(click.took, slash.took) < discordMax, `${click.took} ms, ${slash.took} ms`);
        assert.deepEqual([click.body.type, slash.body.type], [answer.deferred, answer.thinking]);
        for (const agent of agents) assert.equal(agent.answer(), '', 'nothing is forwarded before it is on disk');
        assert.ok(isOpen(discord, clicked), 'nor is anything promised');
        for (const agent of agents.slice(0, 2)) await answered(agent, 'allow_once', hub, patient);
        assert.match(await ended(here, clicked), /Allowed.* by alice/);
        assert.match(await ended(here, typed), /Allowed.* by bob/);
        const [words] = await until('the result', () => toldTo(discord, bob).length && toldTo(discord, bob));
        assert.match(words, /Allowed/);
        assert.equal(discord.messages({ ephemeral: true }).length, 1, 'it replaced what said "thinking"');

        // A quarter of an hour later the interaction takes no words any more; the card still does.
        await approve(alice, late);
        discord.advance(15 * 60 + 1);
        await answered(agents[2], 'allow_once', hub, patient);
        assert.match(await ended(here, late), /Allowed.* by alice/);
        const isTokens = ({ route, status }) => route?.includes('/webhooks/') && status === 401;
        await until('the try to say it', () => discord.journal.some(isTokens), { status: () => hub.story() });
        // That 401 is about the interaction: the bot's own token still works.
        const next = askFor(world, 4);
        assert.ok(isOpen(discord, await cardOf(here, 4)));
        next.program.signal('SIGKILL');
    });

    test(`${how}: a modal that is sent after the decision hears who decided`, async (t) => {
        const here = await openWorld(t, { webhook });
        const { discord, world, hub } = here;
        const agent = ask(world);
        const message = await card(here);
        await discord.press({ user: alice, message, label: 'Deny…' });
        await discord.press({ user: bob, message, label: 'Allow' });
        await answered(agent, 'allow_once', hub);
        const { body } = await discord.submit({ modal: discord.modals[0], values: { reason: 'not today' } });
        assert.equal(body.type, answer.words);
        assert.match(toldTo(discord, alice)[0], /Too late.*bob/);
        assert.doesNotMatch(await ended(here, message), /not today/);
        assert.equal(decisions(world).length, 1);
    });

    test(`${how}: two people press at the same moment: one decides, and the other hears it`, async (t) => {
        const here = await openWorld(t, { webhook });
        const { discord, world, hub } = here;
        const agent = ask(world);
        const message = await card(here);
        const press = (user, label) => discord.press({ user, message, label });
        await Promise.all([press(alice, 'Allow'), press(bob, 'Deny')]);
        await until('the answer', () => agent.answer(), { status: () => hub.story() });
        const [{ decidedBy, decision }] = decisions(world);
        const loser = decidedBy === 'alice' ? bob : alice;
        const said = await until('words for the other', () => toldTo(discord, loser)[0], { status: () => hub.story() });
        assert.match(said, new RegExp(`by ${decidedBy}`));
        assert.match(await ended(here, message), new RegExp(`${decision}.* by ${decidedBy}`, 'i'));
        assert.equal(decisions(world).length, 1);
    });
}

// What Discord does to connections.
const cuts = [
    (gateway) => gateway.reconnect(),
    (gateway) => gateway.invalidate({ resumable: true }),
    (gateway) => gateway.disconnect(4000),
    (gateway) => gateway.sever(),
    (gateway) => gateway.invalidate(),
];
test('a connection that Discord ends in the middle of a click loses none: each decides once', async (t) => {
    const here = await openWorld(t, { wrap: onSlowDisk });
    const { discord, world, hub } = here;
    const status = () => hub.story();
    const numbers = cuts.map((cut, i) => i + 1);
    const agents = numbers.map((n) => askFor(world, n));
    const shown = await Promise.all(numbers.map((n) => cardOf(here, n)));
    for (const [i, cut] of cuts.entries()) {
        const [first] = discord.gateway.connected;
        const pressed = discord.press({ user: alice, message: shown[i], label: 'Allow' });
        pressed.catch(() => {}); // a click that had to wait for the next connection may be too old to be answered
        if (i === cuts.length - 1) await pressed; // the next session would not bring it
        const { session, socket } = first;
        cut(discord.gateway);
        const again = () => discord.gateway.connected.find((one) => one.socket !== socket);
        const link = await until('the next connection', again, { within: patient, status });
        assert.equal(link.session === session, i < cuts.length - 1, 'it resumes while it can');
    }
    for (const agent of agents) await answered(agent, 'allow_once', hub, patient);
    for (const message of shown) assert.match(await ended(here, message), /Allowed.* by alice/);
    assert.equal(decisions(world).length, cuts.length);
});

test('I16 a resume brings clicks again: an old one allows nothing, a handled one is not handled twice', async (t) => {
    const here = await openWorld(t);
    const { discord, world, hub } = here;
    const first = askFor(world, 1);
    const handled = await discord.press({ user: alice, message: await cardOf(here, 1), label: 'Deny' });
    await answered(first, 'reject_once', hub);
    const second = askFor(world, 2);
    const message = await cardOf(here, 2);
    discord.gateway.sever();
    discord.redeliver(handled.interaction);
    const late = discord.press({ user: alice, message, label: 'Allow', age: 6 * 60_000 });
    await assert.rejects(late, /was not acknowledged/, 'Discord takes no answer to it');
    await until('the refusal', () => recordsOf(world).find(({ kind }) => kind === 'refused'), {
        status: () => hub.story(),
    });
    assert.ok(discord.gateway.frames.some(({ op }) => op === 6));
    assert.equal(second.answer(), '');
    assert.equal(decisions(world).length, 1);
    const refused = recordsOf(world).filter(({ kind }) => kind === 'refused');
    assert.deepEqual(refused.map(({ requestId }) => requestId), [idOf(2)], 'the handled one is not refused either');
    // They are asked again, on a new card.
    assert.match(await ended(here, message), /replaced by a newer one/);
    await discord.press({ user: alice, message: await cardOf(here, 2), label: 'Allow' });
    await answered(second, 'allow_once', hub);
});

test('a click that waited for the next connection still decides, though nobody can be answered', async (t) => {
    const here = await openWorld(t);
    const { discord, world, hub } = here;
    const agent = ask(world);
    const message = await card(here);
    discord.gateway.sever();
    const late = discord.press({ user: alice, message, label: 'Allow', age: 30_000 });
    late.catch(() => {});
    await answered(agent, 'allow_once', hub);
    assert.match(await ended(here, message), /Allowed.* by alice/);
});

test('a 429 on edits holds back no card, no answer and no decision', async (t) => {
    const here = await openWorld(t);
    const { discord, world, hub } = here;
    const edit = 'PATCH /channels/:channel/messages/:message';
    const first = askFor(world, 1);
    const message = await cardOf(here, 1);
    discord.fail(edit, { kind: 'limit', retryAfter: 600 });
    await discord.press({ user: alice, message, label: 'Deny' });
    await answered(first, 'reject_once', hub);
    await until('the 429', () => discord.calls(edit).some(({ status }) => status === 429));
    const next = askFor(world, 2);
    await discord.press({ user: alice, message: await cardOf(here, 2), label: 'Allow' });
    await answered(next, 'allow_once', hub);
    assert.deepEqual(
        discord.calls(edit).map(({ status }) => status),
        [429],
        'no edit is tried before the time is over',
    );
});

test('a 429 on cards holds back no answer and no edit', async (t) => {
    const here = await openWorld(t);
    const { discord, world, hub } = here;
    const [post, edit] = ['POST /channels/:channel/messages', 'PATCH /channels/:channel/messages/:message'];
    const agent = askFor(world, 1);
    const message = await cardOf(here, 1);
    discord.fail(post, { kind: 'limit', retryAfter: 600 });
    const held = askFor(world, 2);
    await until('the 429', () => discord.calls(post).some(({ status }) => status === 429));
    await discord.press({ user: mallory, message, label: 'Allow' });
    assert.equal(toldTo(discord, mallory).length, 1);
    await discord.press({ user: alice, message, label: 'Deny' });
    await answered(agent, 'reject_once', hub);
    await until('the edit', () => discord.calls(edit).some(({ status }) => status === 200));
    assert.equal(discord.calls(post).length, 2, 'no card is tried before the time is over');
    held.program.signal('SIGKILL');
});

test('a 429 of Cloudflare, which is not JSON, is waited for, and the card follows', async (t) => {
    const here = await openWorld(t);
    const { discord, world, hub } = here;
    discord.fail('POST /channels/:channel/messages', { kind: 'cloudflare', retryAfter: 3 });
    const agent = ask(world);
    const message = await card(here);
    assert.equal(discord.journal.filter(({ status }) => status === 429).length, 1, 'nothing was tried meanwhile');
    await discord.press({ user: alice, message, label: 'Allow' });
    await answered(agent, 'allow_once', hub);
});

test('words that overtake the first answer to an interaction still arrive', async (t) => {
    const here = await openWorld(t);
    const { discord, world, hub } = here;
    const agent = ask(world);
    const options = { words: `more ${codeOn(discord, await card(here))}` };
    discord.fail('POST /interactions/:id/:token/callback', { kind: 'server' });
    await discord.slash({ user: alice, channel, command: 'countersign', options });
    const isWhole = ({ files }) => files[0]?.content.includes('ls');
    await until('the whole text', () => discord.messages({ ephemeral: true }).find(isWhole), {
        status: () => hub.story(),
    });
    agent.program.signal('SIGKILL');
});

test('a card that a moderator deleted stops nothing: the request is answered by its code', async (t) => {
    const here = await openWorld(t);
    const { discord, world, hub } = here;
    const agent = ask(world);
    const message = await card(here);
    const options = { code: codeOn(discord, message) };
    discord.remove(message);
    await discord.slash({ user: alice, channel, command: 'approve', options });
    assert.match(toldTo(discord, alice)[0], /Allowed/);
    await answered(agent, 'allow_once', hub);
    const next = ask(world, idOf(2));
    await discord.press({ user: alice, message: await card(here), label: 'Deny' });
    await answered(next, 'reject_once', hub);
});

test('a person who left the server is no obstacle: the route goes on to its next step', async (t) => {
    const later = `{ channel = "desk", after = "5m", chat = "${channel}" }`;
    const here = await openWorld(t, {
        steps: `{ channel = "desk", people = ["alice"] }, ${later}`,
        prepare: (discord) => discord.addUser({ id: alice, direct: false }),
    });
    const { discord, world, hub } = here;
    const agent = ask(world);
    const message = await card(here);
    assert.equal(message.channel, channel);
    await discord.press({ user: bob, message, label: 'Deny' });
    await answered(agent, 'reject_once', hub);
});

test('a bot that was removed from the server: the agent hears that it reaches nobody, the operator why', async (t) => {
    const { discord, world, hub } = await openWorld(t);
    discord.kick();
    const agent = ask(world);
    await answered(agent, 'undeliverable', hub);
    assert.doesNotMatch(agent.answer(), /allow_once/);
    const [dead] = outbox(world).deadLetters;
    assert.match(dead.why, /Missing Access.*: the bot can't see this channel: invite it to the server/);
});

for (const webhook of [false, true]) {
    const how = webhook ? 'webhook' : 'Gateway';
    test(`${how}: a token that was reset is said aloud, and nothing is allowed`, async (t) => {
        const here = await openWorld(t, { webhook });
        const { discord, world, hub } = here;
        const waiting = askFor(world, 1);
        await cardOf(here, 1);
        discord.resetToken();
        const agent = askFor(world, 2);
        await answered(agent, 'undeliverable', hub);
        assert.doesNotMatch(agent.answer() + waiting.answer(), /allow_once/);
        await told(hub, /desk.*refuses.*token.*reset it on the app's page/);
    });
}

const fatal = {
    4004: /refuses the bot's token: reset it on the app's page, Bot/,
    4013: /intents are invalid: update Countersign, or use mode = "webhook"/,
    4014: /does not let this bot receive direct messages: look at the app's page/,
};
for (const [code, words] of Object.entries(fatal)) {
    test(`the Gateway ends with ${code}: the operator reads what to do, and it is not tried again`, async (t) => {
        const here = await openWorld(t);
        const { discord, world, hub } = here;
        const agent = ask(world);
        await card(here);
        const asked = discord.calls('GET /gateway/bot').length;
        discord.gateway.disconnect(Number(code));
        await told(hub, words);
        assert.equal(linesOf(hub).filter((line) => words.test(line)).length, 1);
        assert.equal(discord.calls('GET /gateway/bot').length, asked);
        assert.equal(agent.answer(), '');
    });
}

test('a person who presses twice is heard once', async (t) => {
    const here = await openWorld(t);
    const { discord, world, hub } = here;
    const agent = ask(world);
    const message = await card(here);
    const act = { user: alice, message, label: 'Allow' };
    await Promise.all([discord.press(act), discord.press(act)]);
    await answered(agent, 'allow_once', hub);
    await ended(here, message);
    assert.equal(decisions(world).length, 1);
});
