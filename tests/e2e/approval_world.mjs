// SPDX-License-Identifier: Apache-2.0
// Countersign between a real agent CLI and the Telegram simulator, with a hand for each thing that a case does.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countersignBinary, openBench, until } from './bench.mjs';
import { claudeAgent } from './agents.mjs';
import { keepSecret } from './secrets.mjs';
import { eachEndsOnce } from './terminal_records.mjs';

export const alice = 77;
export const mallory = 666;
const startup = { within: 60_000 };

// alice may decide; mallory is in the same chat and may not. Cards go to alice's private chat, or to a group, and there
// perhaps to a topic.
export async function openWorld(t, { group = false, topic, extra = '', webhook = false } = {}) {
    const bench = await openBench(t);
    bench.simulator.addUser({ id: alice, first_name: 'Alice' });
    bench.simulator.addUser({ id: mallory, first_name: 'Mallory' });
    if (group) bench.simulator.addChat({ id: -100200, title: 'Ops', seesAll: true, forum: topic !== undefined });
    return new ApprovalWorld(bench, { group, topic, extra, webhook });
}

// A bot that Telegram calls, instead of one that asks it.
const webhookToml = (secretFile) => `mode = "webhook"
webhook_secret_file = "${secretFile}"
[gateway]
listen = "127.0.0.1:0"
admin = "127.0.0.1:0"`;

class ApprovalWorld {
    constructor(bench, { group, topic, extra, webhook }) {
        this.bench = bench;
        this.chat = group ? -100200 : alice;
        this.secret = 'a-secret-for-the-webhook-0123456789';
        keepSecret('the secret of the webhook', this.secret);
        const token = join(bench.directory, 'token');
        const secret = join(bench.directory, 'secret');
        writeFileSync(token, bench.simulator.token, { mode: 0o600 });
        writeFileSync(secret, this.secret, { mode: 0o600 });
        this.config = join(bench.directory, 'countersign.toml');
        const inTopic = topic === undefined ? '' : `, topic = ${topic}`;
        const where = group ? `chat = ${this.chat}${inTopic}` : 'people = ["alice"]';
        writeFileSync(
            this.config,
            `[people.alice]
telegram = ${alice}
roles = ["approve", "approve-always"]

[channels.phone]
kind = "telegram"
token_file = "${token}"
base_url = "${bench.simulator.url}"
${webhook ? webhookToml(secret) : ''}

[[routes]]
ask = [ { channel = "phone", ${where} } ]
deciders = ["alice"]
${extra}
`,
            { mode: 0o600 },
        );
    }

    // The agent makes these calls, one step after the other; without steps it gets its prompts on standard input.
    // cli: one of agents.mjs.
    run(name, steps, { cli = claudeAgent, agent = cli.name, wrap = [], flags = [], environment } = {}) {
        const prompt = steps ? ['--prompt', `${this.bench.llm.script(name, steps)} go`] : [];
        const program = cli.binary ? ['--binary', cli.binary(), ...prompt, ...flags] : [...prompt, ...flags];
        const command = [
            ...wrap,
            countersignBinary(),
            ...['run', cli.name, '--agent', agent, '--state', this.bench.state, '--config', this.config],
            ...program,
            ...(cli.command ? ['--', ...cli.command()] : []),
        ];
        return this.bench.start(command[0], command.slice(1), { env: environment ?? cli.environment(this.bench) });
    }

    // A first start, with an agent that asks nothing.
    async begin() {
        const options = ['--state', this.bench.state, '--config', this.config];
        const agent = ['run', 'event', '--agent', 'first', ...options, '--', 'true'];
        await this.ends(this.bench.start(countersignBinary(), agent));
    }

    // Cards with buttons, oldest first.
    cards() {
        return this.bench.simulator.messages({ chat: this.chat }).filter(({ keyboard }) => keyboard.length > 0);
    }
    card(program, fits = () => true) {
        return until('a card', () => this.cards().find(fits), { ...startup, status: () => program.story() });
    }
    tap(card, button, user = alice) {
        return this.bench.simulator.tap({ user, chat: card.chat, message: card.message_id, button });
    }
    // What the message says once it has no buttons.
    concluded(card, program) {
        return until(
            'the card to say how it ended',
            () => {
                const isCard = (m) => m.chat === card.chat && m.message_id === card.message_id;
                const now = this.bench.simulator.messages().find(isCard);
                return now.keyboard.length === 0 ? now.text : null;
            },
            { within: 20_000, status: () => program?.story() ?? '' },
        );
    }
    answered(tap) {
        const isTap = ({ id }) => id === tap.callback_query_id;
        return until('an answer to the tap', () => this.bench.simulator.taps().find(isTap)?.answer);
    }
    records() {
        const lines = execFileSync(
            countersignBinary(),
            ['audit', 'tail', '--json', '-n', '10000', '--state', this.bench.state],
            { encoding: 'utf8' },
        );
        return lines.trim().split('\n').map((line) => JSON.parse(line));
    }
    record(kind) {
        return this.records().findLast((record) => record.kind === kind);
    }
    verifies() {
        execFileSync(countersignBinary(), ['audit', 'verify', '--state', this.bench.state], { stdio: 'pipe' });
        this.eachRequestEndsOnce();
    }
    eachRequestEndsOnce() {
        eachEndsOnce(this.records());
    }
    async ends(program, code = 0) {
        const { code: was } = await program.ended({ within: 60_000 });
        assert.equal(was, code, program.story());
    }
}
