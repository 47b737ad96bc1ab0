// SPDX-License-Identifier: Apache-2.0
// `countersign setup telegram`, from the token to the first tap.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { countersignBinary, openBench, until } from './bench.mjs';

const user = 77;

function start(bench, more = []) {
    const config = join(bench.directory, 'config', 'countersign.toml');
    const program = bench.start(countersignBinary(), [
        ...['setup', 'telegram', '--base-url', bench.simulator.url, '--person', 'alice'],
        ...['--config', config, '--state', bench.state, ...more],
    ]);
    program.send(`${bench.simulator.token}\n`);
    return { program, config };
}
const codeOf = (program) =>
    until('the code', () => program.err.map((line) => /\/start ([0-9A-Z]{8})$/.exec(line)?.[1]).find(Boolean), {
        status: () => program.story(),
    });

test('setup binds the person who writes the code, writes private files and sends a test', async (t) => {
    const bench = await openBench(t);
    bench.simulator.addUser({ id: user, first_name: 'Alice' });
    bench.simulator.addUser({ id: 666, first_name: 'Mallory' });
    const { program, config } = start(bench);
    const code = await codeOf(program);
    bench.simulator.say({ user: 666, text: '/start' });
    bench.simulator.say({ user: 666, text: '/start 00000000' });
    bench.simulator.say({ user, text: `/start ${code}` });
    const card = await until(
        'the test approval',
        () => bench.simulator.messages({ chat: user }).find(({ keyboard }) => keyboard.length > 0),
        { within: 30_000, status: () => program.story() },
    );
    bench.simulator.tap({ user, message: card.message_id, button: 'Allow' });
    const { code: exit } = await program.ended();
    assert.equal(exit, 0, program.story());
    const text = readFileSync(config, 'utf8');
    assert.match(text, /telegram = 77\b/);
    assert.doesNotMatch(text, /TEST-token/);
    assert.equal(statSync(config).mode & 0o777, 0o600);
    const tokenFile = /token_file = "(.*)"/.exec(text)[1];
    assert.equal(statSync(tokenFile).mode & 0o777, 0o600);
    assert.match(program.err.join('\n'), /ended as: allowed/);
    assert.doesNotMatch([...program.err, ...program.out].join('\n'), /TEST-token/, 'the token is printed nowhere');
});

test('setup refuses a token that Telegram does not know, and says so', async (t) => {
    const bench = await openBench(t);
    const program = bench.start(countersignBinary(), [
        ...['setup', 'telegram', '--base-url', bench.simulator.url, '--config', join(bench.directory, 'c', 'c.toml')],
    ]);
    program.send('123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n');
    assert.equal((await program.ended()).code, 1);
    assert.match(program.err.join('\n'), /knows no bot/);
});
