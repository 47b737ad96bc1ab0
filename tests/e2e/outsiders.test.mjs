// SPDX-License-Identifier: Apache-2.0
// What is kept outside: a chat and a witness have seen the log, and a log that is rolled back agrees with neither.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test from 'node:test';
import { alice, openWorld } from './approval_world.mjs';
import { countersignBinary, until } from './bench.mjs';

const ask = JSON.stringify({
    type: 'approval_request',
    approvalId: '01HZX3V8Q4T5R6S7W8X9Y0Z1A2',
    approvalSource: 'runtime_tool',
    subject: { kind: 'tool_use', toolName: 'Bash', toolId: 't1', rawInput: { command: 'ls' }, displayArgs: {} },
    options: [
        { optionId: 'allow', label: 'Allow', nativeDecision: 'allow_once' },
        { optionId: 'deny', label: 'Deny', nativeDecision: 'reject_once' },
    ],
});

// A witness on loopback that looks after the world's log.
async function startWitness(world) {
    const { bench } = world;
    const program = bench.start(countersignBinary(), [
        ...['witness', '--listen', '127.0.0.1:0', '--name', 'witness.example/w1'],
        ...['--key-file', join(bench.directory, 'witness-key'), '--state', join(bench.directory, 'witness')],
        ...['--log', join(bench.state, 'audit', 'log.vkey')],
    ]);
    const vkey = await program.line('its key', (line) => line.startsWith('witness.example/w1+'));
    const port = await until(
        'its port',
        () => program.err.map((line) => /listening on 127.0.0.1 port (\d+)/.exec(line)?.[1]).find(Boolean),
        { status: () => program.story() },
    );
    return { vkey, url: `http://127.0.0.1:${port}` };
}

// An agent that asks once, and stays until the file is there.
function runAgent(world, script) {
    const options = ['--state', world.bench.state, '--config', world.config];
    const agent = ['run', 'event', '--agent', 'one', ...options, '--', 'sh', '-c', script];
    return world.bench.start(countersignBinary(), agent);
}

test('a log that is rolled back agrees neither with the chat nor with the witness', async (t) => {
    const world = await openWorld(t);
    const { bench } = world;
    await world.begin();
    const { vkey, url } = await startWitness(world);
    appendFileSync(
        world.config,
        `
[[log.anchors]]
channel = "phone"
chat = ${alice}
records = 1

[[log.witnesses]]
url = "${url}"
vkey = "${vkey}"
records = 1
`,
    );
    const log = join(bench.state, 'audit');
    const earlier = join(bench.directory, 'earlier');
    cpSync(log, earlier, { recursive: true });
    const verify = (...more) => {
        const args = ['audit', 'verify', '--state', bench.state, ...more];
        const { status, stdout, stderr } = spawnSync(countersignBinary(), args, { encoding: 'utf8' });
        return { status, said: stdout + stderr };
    };

    // Decided, posted and cosigned.
    const over = join(bench.work, 'over');
    const program = runAgent(world, `echo '${ask}'; read answer; while [ ! -e ${over} ]; do sleep 0.1; done`);
    const status = () => program.story();
    const first = await world.card(program);
    world.tap(first, 'Allow');
    // The hub before this one ended before it had polled: a tap that comes first may have waited, so the card is shown
    // again (I16).
    const isNewer = ({ message_id: id }) => id > first.message_id;
    const answered = () => world.cards().find(isNewer) ?? (world.record('decision') && first);
    const card = await until('a decision, or the card again', answered, { status });
    if (card !== first) world.tap(card, 'Allow');
    const ended = await world.concluded(card, program);
    const decision = await until('the decision', () => world.record('decision'), { status });
    const isPost = ({ text }) => text.startsWith('# Audit log, ');
    const posts = () => bench.simulator.messages({ chat: alice }).filter(isPost);
    const sizeOf = ({ text }) => Number(/^# Audit log, (\d+) records/.exec(text)[1]);
    const post = await until('the post', () => posts().find((one) => sizeOf(one) > decision.seq), { status });
    await until(
        'the witness and the records of both',
        () => {
            const anchors = world.records().filter(({ kind, size }) => kind === 'anchor' && size > decision.seq);
            return anchors.some(({ witness }) => witness) && anchors.some(({ chat }) => chat);
        },
        { status },
    );
    writeFileSync(over, '');
    await world.ends(program);
    world.verifies();

    // What the chat has is an anchor as it is, and so is the line of the card.
    const anchor = join(bench.directory, 'anchor');
    const short = join(bench.directory, 'short');
    writeFileSync(anchor, post.text);
    writeFileSync(short, `${/anchor (\d+ [0-9a-f]{16})\n/.exec(ended)[1]}\n`);
    for (const file of [anchor, short]) {
        const { status: code, said } = verify('--anchor', file);
        assert.equal(code, 0, said);
        assert.match(said, /proved: consistent with 1 outside anchor/);
    }
    const witnessed = verify('--witness-key', vkey);
    assert.equal(witnessed.status, 0, witnessed.said);
    assert.match(witnessed.said, /cosigned: by witness\.example\/w1 at \d+ records/);
    assert.doesNotMatch(witnessed.said, /which no anchor covers/, 'the end of the log was shown at the stop');

    // Rolled back as a whole, with its checkpoint: intact by itself, and refused by all three.
    const cosigned = join(bench.directory, 'cosigned');
    renameSync(join(log, 'cosigned'), cosigned);
    rmSync(log, { recursive: true });
    cpSync(earlier, log, { recursive: true });
    assert.equal(verify().status, 0, 'with nothing of the outside, a log that was rolled back is whole');
    cpSync(cosigned, join(log, 'cosigned'), { recursive: true });
    for (const more of [[], ['--anchor', anchor], ['--anchor', short], ['--witness-key', vkey]]) {
        const { status: code, said } = verify(...more);
        assert.equal(code, 1, said);
        assert.match(said, /an anchor covers \d+ records/);
    }

    // Without what lies beside it the witness itself still knows, and says so to the next start.
    rmSync(join(log, 'cosigned'), { recursive: true });
    rmSync(over);
    const again = runAgent(world, `while [ ! -e ${over} ]; do sleep 0.1; done`);
    await until('the alarm', () => [...again.out, ...again.err].find((line) => line.includes('ALARM')), {
        status: () => again.story(),
        within: 20_000,
    });
    const refused = await until('its record', () => world.records().find((record) => record.refused), {
        status: () => again.story(),
    });
    assert.match(refused.refused, /rolled back/);
    assert.ok(refused.seen > refused.size, `${refused.seen} seen, ${refused.size} there`);
    writeFileSync(over, '');
    await world.ends(again);
});

test('a witness that never answers keeps no decision and no end waiting', async (t) => {
    const world = await openWorld(t);
    const calls = [];
    const silent = createServer((socket) => {
        calls.push(socket);
        socket.on('error', () => {});
    });
    await new Promise((listening) => silent.listen(0, '127.0.0.1', listening));
    t.after(() => {
        calls.forEach((socket) => socket.destroy());
        silent.close();
    });
    const vkey = 'witness.example/w1+507d5fa3+BAZ5P0yQi49qNzRsPbEoXQidU0hCYRETgqHozvD6FR8O';
    const url = `http://127.0.0.1:${silent.address().port}`;
    appendFileSync(world.config, `[[log.witnesses]]\nurl = "${url}"\nvkey = "${vkey}"\nrecords = 1\n`);
    const program = runAgent(world, `echo '${ask}'; read answer`);
    const card = await world.card(program);
    await until('the call', () => calls.length > 0, { status: () => program.story() });
    world.tap(card, 'Allow');
    const began = Date.now();
    assert.match(await world.concluded(card, program), /Allowed/);
    await world.ends(program);
    assert.ok(Date.now() - began < 10_000, 'before the call was given up');
    world.verifies();
});
