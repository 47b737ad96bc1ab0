// SPDX-License-Identifier: Apache-2.0
// A hub whose only desk is the Slack simulator: alice may decide, mallory is in the same channel and may not.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBench, until } from './bench.mjs';
import { portOf, serve } from './serving.mjs';
import { SlackSimulator } from './slack_simulator.mjs';

export const alice = 'U77';
export const mallory = 'U666';
export const channel = 'C0OPS';
export const slackMax = 3000;

export async function openWorld(t, { webhook = false, wrap = [], route = '', steps } = {}) {
    const bench = await openBench(t);
    const slack = await SlackSimulator.start();
    t.after(() => slack.close());
    const secret = (name, text) => {
        const file = join(bench.directory, name);
        writeFileSync(file, text, { mode: 0o600 });
        return file;
    };
    const config = join(bench.directory, 'countersign.toml');
    const front = webhook
        ? `signing_secret_file = "${secret('signing', slack.signingSecret)}"
[gateway]
listen = "127.0.0.1:0"`
        : `app_token_file = "${secret('app', slack.appToken)}"`;
    writeFileSync(
        config,
        `[people.alice]
slack = "T0/${alice}"
roles = ["approve", "approve-always"]

[channels.desk]
kind = "slack"
token_file = "${secret('token', slack.botToken)}"
team = "T0"
base_url = "${slack.url}"
${front}

[[routes]]
ask = [ ${steps ?? `{ channel = "desk", chat = "${channel}" }`} ]
deciders = ["alice"]
${route}
`,
        { mode: 0o600 },
    );
    const world = { bench, config, slack };
    const hub = await serve(world, { wrap });
    // What was signed in the second of the start is stale: a process before this one may have had it.
    const started = Math.floor(Date.now() / 1000);
    if (webhook) await until('the next second', () => Math.floor(Date.now() / 1000) > started);
    if (webhook) slack.webhook = `http://127.0.0.1:${portOf(hub)}/webhooks/slack/desk`;
    else await until('two connections', () => slack.sockets.length === 2, { status: () => hub.story() });
    return { ...world, world, hub };
}

export const cards = (slack) =>
    slack.messages({ channel, ephemeral: false }).filter((m) => slack.labels(m).includes('Deny'));
export const card = ({ slack, hub }, at = 0) => until('a card', () => cards(slack)[at], { status: () => hub.story() });
export const ended = ({ slack, hub }, message) =>
    until('the end on the card', () => slack.labels(message).length === 0 && message.text, {
        status: () => hub.story(),
    });
