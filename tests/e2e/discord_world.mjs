// SPDX-License-Identifier: Apache-2.0
// A hub whose only desk is the Discord simulator: alice and bob may decide, mallory is in the same channel and may not.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBench, until } from './bench.mjs';
import { DiscordSimulator } from './discord_simulator.mjs';
import { portOf, serve } from './serving.mjs';

export const alice = '539082325061836801';
export const bob = '539082325061836802';
export const mallory = '539082325061836666';
export const channel = '345626669114982001';
export const discordMax = 3000;
export const ephemeral = 64;

// Kinds of first answers to an interaction.
export const answer = { words: 4, thinking: 5, deferred: 6, card: 7, modal: 9 };

export async function openWorld(t, { webhook = false, wrap = [], route = '', steps, prepare = () => {} } = {}) {
    const bench = await openBench(t);
    const discord = await DiscordSimulator.start({ channels: [channel], identifyEvery: 0 });
    t.after(() => discord.close());
    for (const id of [alice, bob, mallory]) discord.addUser({ id });
    prepare(discord);
    const config = join(bench.directory, 'countersign.toml');
    const token = join(bench.directory, 'token');
    writeFileSync(token, discord.botToken, { mode: 0o600 });
    const front = `mode = "webhook"\npublic_key = "${discord.publicKey}"\n\n[gateway]\nlisten = "127.0.0.1:0"`;
    writeFileSync(
        config,
        `[people.alice]
discord = "${alice}"
roles = ["approve", "approve-always"]

[people.bob]
discord = "${bob}"
roles = ["approve"]

[channels.desk]
kind = "discord"
token_file = "${token}"
base_url = "${discord.url}"
${webhook ? front : ''}

[[routes]]
ask = [ ${steps ?? `{ channel = "desk", chat = "${channel}" }`} ]
deciders = ["alice", "bob"]
${route}
`,
        { mode: 0o600 },
    );
    const world = { bench, config, discord };
    const hub = await serve(world, { wrap });
    const status = () => hub.story();
    await until('the slash commands', () => discord.world.commands.get('everywhere')?.length === 5, { status });
    if (webhook) await listenByWebhook(discord, hub);
    else await until('a session of the Gateway', () => discord.gateway.connected.length === 1, { status });
    return { ...world, world, hub };
}

// A delivery that was signed in the second of the start is stale: a process before this one may have had it.
async function listenByWebhook(discord, hub) {
    const started = Math.floor(Date.now() / 1000);
    await until('the next second', () => Math.floor(Date.now() / 1000) > started);
    discord.webhook = `http://127.0.0.1:${portOf(hub)}/webhooks/discord/desk`;
}

export const cards = (discord) =>
    discord.messages({ ephemeral: false }).filter((message) => discord.labels(message).includes('Deny'));
export const card = ({ discord, hub }, at = 0) =>
    until('a card', () => cards(discord)[at], { within: 60_000, status: () => hub.story() });
export const ended = ({ discord, hub }, message) =>
    until('the end on the card', () => discord.labels(message).length === 0 && discord.readable(message), {
        status: () => hub.story(),
    });
// What was said to this person alone.
export const toldTo = (discord, user) =>
    discord
        .messages({ ephemeral: true })
        .filter((message) => message.ephemeral === user)
        .map((message) => discord.readable(message))
        .filter(Boolean);
export const codeOn = (discord, message) => /\/(?:deny|answer) ([0-9A-Z]{8})/.exec(discord.text(message))[1];
// What Discord refused, but for the try that tells whether a session has a thread already.
const isThreadTry = ({ route, refused }) => route?.endsWith('/messages') && refused.startsWith('10003 ');
export const refusals = (discord) => discord.journal.filter((entry) => entry.refused && !isThreadTry(entry));
