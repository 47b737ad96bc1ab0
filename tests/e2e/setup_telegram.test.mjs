// SPDX-License-Identifier: Apache-2.0
// `countersign setup telegram`, from the token to the first tap.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
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
// On a terminal both streams are one, and lines end with a carriage return.
const codeOf = (program) =>
    until(
        'the code',
        () => [...program.err, ...program.out].map((line) => /\/start ([0-9A-Z]{8})\r?$/.exec(line)?.[1]).find(Boolean),
        { status: () => program.story() },
    );
const testCard = (bench, program) =>
    until(
        'the test approval',
        () => bench.simulator.messages({ chat: user }).find(({ keyboard }) => keyboard.length > 0),
        { within: 30_000, status: () => program.story() },
    );

// The same on a terminal of its own, in a shell that says how it ended and how it left the terminal.
async function startOnTerminal(bench) {
    const config = join(bench.directory, 'config', 'countersign.toml');
    const setup = [
        ...[countersignBinary(), 'setup', 'telegram', '--base-url', bench.simulator.url, '--person', 'alice'],
        ...['--config', config, '--state', bench.state],
    ].join(' ');
    const shell = `tty; trap : INT; ${setup}; echo ended with $?; stty -a`;
    const program = bench.start('script', ['-qfec', shell, '/dev/null']);
    const terminal = (await program.line('its terminal', (line) => line.startsWith('/dev/pts/'))).trim();
    const echoes = () => !/ -echo /.test(execFileSync('stty', ['-F', terminal, '-a'], { encoding: 'utf8' }));
    await until('the question for the token', () => !echoes(), { status: () => program.story() });
    return { program, config };
}

test('setup binds the person who writes the code, writes private files and sends a test', async (t) => {
    const bench = await openBench(t);
    bench.simulator.addUser({ id: user, first_name: 'Alice' });
    bench.simulator.addUser({ id: 666, first_name: 'Mallory' });
    const { program, config } = start(bench);
    const code = await codeOf(program);
    bench.simulator.say({ user: 666, text: '/start' });
    bench.simulator.say({ user: 666, text: '/start 00000000' });
    bench.simulator.say({ user, text: `/start ${code}` });
    const card = await testCard(bench, program);
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

test('Ctrl-C at the question for the token leaves a terminal that echoes, and no file', async (t) => {
    const bench = await openBench(t);
    const { program, config } = await startOnTerminal(bench);
    program.send('\x03');
    await program.ended({ within: 10_000 });
    const said = program.out.join('\n');
    assert.match(said, /ended with 130\r?$/m);
    assert.match(said, / echo /);
    assert.equal(existsSync(config), false);
});

test('Ctrl-C while setup waits for its test: it ends at once, and nothing is left open', async (t) => {
    const bench = await openBench(t);
    bench.simulator.addUser({ id: user, first_name: 'Alice' });
    const { program, config } = await startOnTerminal(bench);
    program.send(`${bench.simulator.token}\n`);
    bench.simulator.say({ user, text: `/start ${await codeOf(program)}` });
    const card = await testCard(bench, program);
    program.send('\x03');
    await program.ended({ within: 10_000 });

    const said = program.out.join('\n');
    assert.match(said, /It ended as: withdrawn\./);
    assert.match(said, /not proved to work; .* run claude tries again/);
    assert.match(said, /ended with 1\r?$/m);
    assert.match(said, / echo /, 'the terminal shows again what is typed');
    assert.doesNotMatch(said, /TEST-token/, 'the token is printed nowhere');

    const now = bench.simulator.messages({ chat: user }).find(({ message_id: id }) => id === card.message_id);
    assert.deepEqual(now.keyboard, []);
    assert.match(now.text, /Withdrawn/);
    assert.deepEqual(bench.strays(), []);
    const left = readdirSync(bench.state, { recursive: true }).filter((name) =>
        statSync(join(bench.state, name)).isSocket(),
    );
    assert.deepEqual(left, []);

    // What was written before the test stays, and holds.
    execFileSync(countersignBinary(), ['check', 'config', config], { stdio: 'pipe' });
    execFileSync(countersignBinary(), ['audit', 'verify', '--state', bench.state], { stdio: 'pipe' });
});
