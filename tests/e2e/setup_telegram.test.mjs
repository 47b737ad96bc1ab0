// SPDX-License-Identifier: Apache-2.0
// `countersign setup telegram`, from the token to the first tap.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test from 'node:test';
import { countersignBinary, openBench, until } from './bench.mjs';
import { startOnTerminal } from './on_terminal.mjs';

const user = 77;

// Not spawnSync: the simulator in this process has to answer meanwhile.
const spawnAsync = (command, args) =>
    new Promise((resolve) => {
        const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
        let err = '';
        child.stdout.resume();
        child.stderr.setEncoding('utf8').on('data', (part) => {
            err += part;
        });
        child.on('close', (code) => resolve({ code, err }));
    });

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

async function startHere(bench) {
    const config = join(bench.directory, 'config', 'countersign.toml');
    const options = ['--base-url', bench.simulator.url, '--person', 'alice', '--config', config];
    const { program } = await startOnTerminal(bench, ['setup', 'telegram', ...options, '--state', bench.state]);
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
    bench.simulator.tap({ user, message: card.message_id, button: 'Allow once' });
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

test('setup adds a bot to a configuration that exists, and keeps what is in it', async (t) => {
    const bench = await openBench(t);
    bench.simulator.addUser({ id: user, first_name: 'Alice' });
    const config = join(bench.directory, 'config', 'countersign.toml');
    const before = `# written by hand
[people.alice]
terminal = ${process.getuid()}
roles = ["approve"]
[channels.desk]
kind = "terminal"
[[routes]]
ask = [ { channel = "desk" } ]
deciders = ["alice"]
`;
    mkdirSync(join(bench.directory, 'config'), { mode: 0o700 });
    writeFileSync(config, before, { mode: 0o600 });
    const { program } = start(bench, ['--no-test']);
    bench.simulator.say({ user, text: `/start ${await codeOf(program)}` });
    const { code: exit } = await program.ended();
    assert.equal(exit, 0, program.story());
    const text = readFileSync(config, 'utf8');
    assert.ok(text.startsWith('# written by hand\n[people.alice]\ntelegram = 77\nterminal = '), text);
    assert.match(text, /ask = \[ { channel = "desk" }, { channel = "phone", people = \["alice"\] } \]/);
    assert.equal(readFileSync(`${config}.bak`, 'utf8'), before);
    execFileSync(countersignBinary(), ['check', 'config', config]);
});

test('a test that is answered at the terminal does not prove that Telegram works', async (t) => {
    const bench = await openBench(t);
    bench.simulator.addUser({ id: user, first_name: 'Alice' });
    const directory = join(bench.directory, 'config');
    mkdirSync(directory, { mode: 0o700 });
    const before = `[people.alice]
terminal = ${process.getuid()}
roles = ["approve"]
[channels.desk]
kind = "terminal"
[[routes]]
ask = [ { channel = "desk" } ]
deciders = ["alice"]
`;
    writeFileSync(join(directory, 'countersign.toml'), before, { mode: 0o600 });
    const { program } = await startHere(bench);
    program.send(`${bench.simulator.token}\n`);
    bench.simulator.say({ user, text: `/start ${await codeOf(program)}` });
    const said = () => program.out.join('\n');
    await until('the choices', () => said().includes('Deny'), { within: 30_000, status: () => program.story() });
    // Esc moves to the refusal, and the next Esc takes it. A key counts only after the card was there for a moment.
    await until(
        'the answer',
        () => {
            program.send('\x1b');
            return said().includes('ended as: denied');
        },
        { within: 30_000, status: () => program.story() },
    );
    await until('the end', () => /ended with 1/.test(said()), { status: () => program.story() });
    assert.match(said(), /answered by alice on desk, not by alice on phone, so this is not proved to work/);
    assert.doesNotMatch(said(), /Now: .* run claude/);
    await program.ended();
});

test('setup refuses to overwrite a configuration that changed during the pairing', async (t) => {
    const bench = await openBench(t);
    bench.simulator.addUser({ id: user, first_name: 'Alice' });
    const directory = join(bench.directory, 'config');
    const config = join(directory, 'countersign.toml');
    const before = `[people.alice]
terminal = ${process.getuid()}
roles = ["approve"]
[channels.desk]
kind = "terminal"
[[routes]]
ask = [ { channel = "desk" } ]
deciders = ["alice"]
`;
    mkdirSync(directory, { mode: 0o700 });
    writeFileSync(config, before, { mode: 0o600 });
    const { program } = start(bench, ['--no-test']);
    const code = await codeOf(program);
    const edited = `# edited during the pairing\n${before}`;
    writeFileSync(config, edited);
    bench.simulator.say({ user, text: `/start ${code}` });
    assert.equal((await program.ended()).code, 1, program.story());
    assert.match(program.err.join('\n'), /countersign\.toml changed meanwhile; run the command again/);
    assert.equal(readFileSync(config, 'utf8'), edited);
    assert.deepEqual(readdirSync(directory), ['countersign.toml'], 'nothing else was written');
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
    const { program, config } = await startHere(bench);
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
    const { program, config } = await startHere(bench);
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

const freePort = () =>
    new Promise((resolve) => {
        const server = createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });

test('setup --webhook: the webhook is set and checked, the test comes through it, and --poll goes back', async (t) => {
    const bench = await openBench(t);
    bench.simulator.addUser({ id: user, first_name: 'Alice' });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/webhooks/telegram/phone`;
    const here = `127.0.0.1:${port}`;
    const { program, config } = start(bench, ['--webhook', `http://${here}`, '--listen', here]);
    bench.simulator.say({ user, text: `/start ${await codeOf(program)}` });
    const card = await testCard(bench, program);
    bench.simulator.tap({ user, message: card.message_id, button: 'Allow once' });
    assert.equal((await program.ended()).code, 0, program.story());
    assert.match(program.err.join('\n'), /ended as: allowed/);
    const text = readFileSync(config, 'utf8');
    const secretFile = /webhook_secret_file = "(.*)"/.exec(text)[1];
    assert.equal(statSync(secretFile).mode & 0o777, 0o600);
    const secret = readFileSync(secretFile, 'utf8').trim();
    assert.match(secret, /^[0-9a-f]{64}$/);
    assert.equal(bench.simulator.webhook.info().url, url);
    const [set] = bench.simulator.calls('setWebhook');
    assert.deepEqual(set.body, {
        url,
        secret_token: secret,
        allowed_updates: ['message', 'edited_message', 'callback_query'],
        max_connections: 40,
    });
    assert.doesNotMatch([...program.err, ...program.out].join('\n'), new RegExp(secret), 'it is printed nowhere');
    assert.ok(bench.simulator.webhook.deliveries.some(({ status }) => status === 200));

    const again = (...more) =>
        spawnAsync(countersignBinary(), ['setup', 'telegram', '--config', config, '--state', bench.state, ...more]);
    const twice = await again('--webhook', `http://127.0.0.1:${port}`);
    assert.equal(twice.code, 0, twice.err);
    assert.equal(readFileSync(config, 'utf8'), text, 'nothing to write');
    assert.equal(readFileSync(secretFile, 'utf8').trim(), secret, 'the same secret');

    bench.simulator.webhook.set({ url: 'http://127.0.0.1:1/of/somebody/else' });
    const theirs = await again('--poll');
    assert.equal(theirs.code, 1);
    assert.match(theirs.err, /of\/somebody\/else, which is none of ours/);
    bench.simulator.webhook.set({ url, secret_token: secret });
    const back = await again('--poll');
    assert.equal(back.code, 0, back.err);
    assert.equal(bench.simulator.webhook.info().url, '');
    assert.doesNotMatch(readFileSync(config, 'utf8'), /^mode/m);
    assert.match(back.err, /does not need .*: webhook_secret_file in \[channels\.phone\], listen in \[gateway\]\./);

    const forth = await again('--webhook', `http://127.0.0.1:${port}`);
    assert.match(forth.err, new RegExp(`is in ${config}\\.bak\\.1 now`));
    assert.equal(readFileSync(`${config}.bak`, 'utf8'), text, 'the first original stays');
    execFileSync(countersignBinary(), ['check', 'config', config], { stdio: 'pipe' });
});

test('setup: a webhook that an earlier program left is named, and taken away with --force', async (t) => {
    const bench = await openBench(t);
    bench.simulator.addUser({ id: user, first_name: 'Alice' });
    bench.simulator.webhook.set({ url: 'http://127.0.0.1:1/left/behind' });
    const refused = start(bench).program;
    assert.equal((await refused.ended()).code, 1, refused.story());
    assert.match(refused.err.join('\n'), /127\.0\.0\.1:1\/left\/behind.* --force/);
    assert.equal(bench.simulator.webhook.info().url, 'http://127.0.0.1:1/left/behind');
    const { program } = start(bench, ['--force', '--no-test']);
    bench.simulator.say({ user, text: `/start ${await codeOf(program)}` });
    assert.equal((await program.ended()).code, 0, program.story());
    assert.equal(bench.simulator.webhook.info().url, '');
});

test('setup --webhook with an address that Telegram does not take changes nothing', async (t) => {
    const bench = await openBench(t);
    bench.simulator.addUser({ id: user, first_name: 'Alice' });
    const { program, config } = start(bench, ['--no-test']);
    bench.simulator.say({ user, text: `/start ${await codeOf(program)}` });
    assert.equal((await program.ended()).code, 0, program.story());
    const before = readFileSync(config, 'utf8');
    const options = ['setup', 'telegram', '--config', config, '--state', bench.state];
    const again = (url) => spawnAsync(countersignBinary(), [...options, '--webhook', url]);
    for (const [url, says] of [
        ['http://a.example', /https only/],
        ['https://a.example:5000', /443, 80, 88 and 8443/],
    ]) {
        const refused = await again(url);
        assert.equal(refused.code, 1);
        assert.match(refused.err, says);
    }
    const description = 'Bad Request: bad webhook: Failed to resolve host: Name or service not known';
    bench.simulator.fail({ method: 'setWebhook', kind: 'error', code: 400, description });
    const unresolved = await again('https://a.example');
    assert.equal(unresolved.code, 1);
    assert.match(unresolved.err, /Failed to resolve host/);
    assert.equal(readFileSync(config, 'utf8'), before);
});
