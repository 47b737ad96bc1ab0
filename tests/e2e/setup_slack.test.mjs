// SPDX-License-Identifier: Apache-2.0
// `countersign setup slack`, from nothing to the first tap, without a public address.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { WebSocket } from 'ws';
import { countersignBinary, openBench, until } from './bench.mjs';
import { startOnTerminal } from './on_terminal.mjs';
import { SlackSimulator, manifest } from './slack_simulator.mjs';

const alice = 'U77';
const mallory = 'U666';
const direct = (user) => `D${user}`;

async function openWorld(t, { channels = [] } = {}) {
    const bench = await openBench(t);
    const slack = await SlackSimulator.start({ channels });
    t.after(() => slack.close());
    const config = join(bench.directory, 'config', 'countersign.toml');
    const args = ['setup', 'slack', '--base-url', slack.url, '--config', config, '--state', bench.state];
    return { bench, slack, config, args };
}
const tokens = ({ slack }) => `${slack.botToken}\n${slack.appToken}\n`;
function start(world, { input = tokens(world), more = [] } = {}) {
    const program = world.bench.start(countersignBinary(), [...world.args, '--person', 'alice', ...more]);
    program.send(input);
    return program;
}
const said = (program) => [...program.err, ...program.out].join('\n').replaceAll('\r', '');
const codesIn = (program) => [...said(program).matchAll(/^ {4}([0-9A-Z]{8})$/gm)].map(([, code]) => code);
const codeOf = (program, at = 0) =>
    until('the code', () => codesIn(program)[at], { status: () => program.story() });
const connected = ({ slack }, program) =>
    until('two connections', () => slack.sockets.length === 2, { status: () => program.story() });
const sayCode = async (world, program) => {
    await connected(world, program);
    await world.slack.say({ user: alice, channel: direct(alice), text: await codeOf(program) });
};
const testCard = ({ slack }, program, channel = direct(alice)) =>
    until('the test approval', () => slack.messages({ channel }).find((m) => slack.labels(m).includes('Deny')), {
        within: 30_000,
        status: () => program.story(),
    });
const succeeds = async (program) => assert.equal((await program.ended()).code, 0, program.story());
const fails = async (program, words) => {
    assert.equal((await program.ended()).code, 1, program.story());
    assert.match(said(program), words);
};
const nothingIn = (directory) => assert.deepEqual(existsSync(directory) ? readdirSync(directory) : [], []);

test('setup slack binds the person who writes the code, and sends a test that one tap answers', async (t) => {
    const world = await openWorld(t);
    const { slack, config } = world;
    const program = start(world);
    const code = await codeOf(program);
    await connected(world, program);
    await slack.say({ user: mallory, channel: direct(mallory), text: 'hello' });
    await slack.say({ user: mallory, channel: direct(mallory), text: 'ABCD1234' });
    await until('an answer', () => slack.messages({ channel: direct(mallory) }).length === 2);
    await slack.say({ user: alice, channel: direct(alice), text: code.toLowerCase() });
    const message = await testCard(world, program);
    await until('Socket Mode', () => slack.sockets.length === 2);
    await slack.press({ user: alice, message, label: 'Allow once' });
    await succeeds(program);
    const words = said(program);
    assert.match(words, /This is @countersign of Acme \(T0\)\.$/m);
    assert.match(words, /https:\/\/slack\.com\/app_redirect\?app=A0&team=T0/);
    assert.match(words, /^Someone sent a wrong code\.$/m);
    assert.match(words, /^You are slack:T0\/U77\.$/m);
    assert.match(words, /ended as: allowed/);
    assert.match(slack.messages({ channel: direct(mallory) })[0].text, /Send the code that your terminal shows/);
    assert.match(slack.messages({ channel: direct(alice) })[0].text, /Go back to your terminal/);
    const text = readFileSync(config, 'utf8');
    assert.match(text, /^slack = "T0\/U77"$/m);
    assert.match(text, /^team\s+= "T0"$/m);
    assert.match(text, /ask {6}= \[ { channel = "slack", people = \["alice"\] } \]/);
    for (const name of ['token_file', 'app_token_file']) {
        const file = new RegExp(`^${name}\\s+= "(.*)"$`, 'm').exec(text)[1];
        assert.equal(statSync(file).mode & 0o777, 0o600);
    }
    assert.equal(statSync(config).mode & 0o777, 0o600);
    assert.doesNotMatch(words + text, /TestToken/, 'a token is printed nowhere');
    const refused = slack.journal.filter((entry) => entry.refused);
    assert.deepEqual(refused, []);
});

test('setup slack takes the code from the slash command, which only its sender sees', async (t) => {
    const world = await openWorld(t, { channels: ['C0OPS'] });
    const { slack, config } = world;
    const program = start(world, { more: ['--no-test'] });
    const code = await codeOf(program);
    await connected(world, program);
    const slash = (user, text) => slack.slash({ user, channel: 'C0OPS', command: '/countersign', text });
    assert.match((await slash(mallory, 'start 00000000')).body.text, /the code that your terminal shows/);
    const { body } = await slash(alice, `start ${code}`);
    assert.equal(body.response_type, 'ephemeral');
    assert.match(body.text, /Go back to your terminal/);
    await succeeds(program);
    assert.match(readFileSync(config, 'utf8'), /slack = "T0\/U77"/);
    assert.match(said(program), /The bot is in the group C0OPS \(#ops\)\./);
});

test('setup slack replaces a code that was written in a channel, edited in, or sent by a bot', async (t) => {
    const world = await openWorld(t, { channels: ['C0OPS'] });
    const { slack } = world;
    const program = start(world, { more: ['--no-test'] });
    await connected(world, program);
    await slack.say({ user: alice, channel: 'C0OPS', text: `my code is ${await codeOf(program)}` });
    const second = await codeOf(program, 1);
    await slack.say({ user: mallory, channel: direct(mallory), text: await codeOf(program) });
    await slack.say({ user: mallory, channel: direct(mallory), text: second, bot_id: 'B0EVIL' });
    const third = await codeOf(program, 2);
    await slack.say({ user: alice, channel: direct(alice), text: third });
    await succeeds(program);
    assert.match(said(program), /appeared in another chat and is no longer valid/);
    assert.match(said(program), /You are slack:T0\/U77\./);
});

test('setup slack knows other tokens by their beginning, and says which one it wants', async (t) => {
    const world = await openWorld(t);
    const { slack, config } = world;
    for (const [input, words] of [
        ['xoxp-1-2-TestTokenOfAPerson\n', /a user's token.*begins with xoxb-.*OAuth & Permissions/],
        [`${slack.appToken}\n`, /an app-level token: copy the one that begins with xoxb-/],
        [`${slack.signingSecret}\n`, /looks like the signing secret/],
        ['xoxb-1-2-TestTokenThatSlackNeverGave\n', /Slack refuses this token \(invalid_auth\)/],
        ['\n', /the token is empty: copy the one that begins with xoxb-/],
        [`${slack.botToken}\n${slack.botToken}\n`, /the bot's token: copy the one that begins with xapp-/],
        [`${slack.botToken}\nxapp-1-A0-TestTokenThatSlackNeverGave\n`, /refuses this app-level token \(inv/],
    ]) {
        await fails(start(world, { input }), words);
        nothingIn(dirname(config));
    }
});

test('setup slack names each missing scope and what it is for', async (t) => {
    const world = await openWorld(t);
    const { slack, config } = world;
    slack.scopes.delete('files:write');
    await fails(start(world), /lacks the scope files:write \(to send a call that is too long.*install the app again/);
    slack.scopes.delete('im:history');
    await fails(start(world), /lacks the scopes files:write \(to .*\), im:history \(to read what people write/);
    slack.scopes.add('files:write').add('im:history');
    slack.appScopes.clear();
    await fails(start(world), /app-level token lacks the scope connections:write: generate another one/);
    nothingIn(dirname(config));
});

test('setup slack says when Socket Mode is off, and when another program takes messages', async (t) => {
    const world = await openWorld(t);
    const { slack } = world;
    slack.socketMode = false;
    await fails(start(world), /Socket Mode is switched off for this app: switch it on/);
    slack.socketMode = true;
    const headers = { authorization: `Bearer ${slack.appToken}` };
    const place = await (await fetch(`${slack.url}/apps.connections.open`, { method: 'POST', headers })).json();
    const other = new WebSocket(place.url);
    t.after(() => other.terminate());
    await until('the other program', () => slack.sockets.length === 1);
    const program = start(world, { more: ['--no-test'] });
    await until('a warning', () => /Another program is connected to this app/.test(said(program)));
});

test('setup slack adds the app to a configuration that has Telegram, and keeps what is in it', async (t) => {
    const world = await openWorld(t);
    const { bench, config } = world;
    const secret = join(bench.directory, 'telegram-token');
    writeFileSync(secret, '1:secretsecretsecretsecretsecret', { mode: 0o600 });
    const before = `# written by hand
[people.alice]
telegram = 77
roles = ["approve"]
[channels.phone]
kind = "telegram"
token_file = "${secret}"
[[routes]]
ask = [ { channel = "phone", people = ["alice"] } ]
deciders = ["alice"]
`;
    mkdirSync(dirname(config), { mode: 0o700 });
    writeFileSync(config, before, { mode: 0o600 });
    const program = start(world, { more: ['--no-test'] });
    await sayCode(world, program);
    await succeeds(program);
    const text = readFileSync(config, 'utf8');
    assert.ok(text.startsWith('# written by hand\n[people.alice]\nslack = "T0/U77"\ntelegram = 77\n'), text);
    assert.match(text, /channel = "phone", people = \["alice"\] }, { channel = "slack", people = \["alice"\] } \]/);
    assert.equal(readFileSync(`${config}.bak`, 'utf8'), before);
    execFileSync(countersignBinary(), ['check', 'config', config]);
    await fails(start(world), /this bot is the channel slack already/);
});

test('Ctrl-C while setup slack waits for the code leaves nothing behind', async (t) => {
    const world = await openWorld(t);
    const { bench, slack, config } = world;
    const { program, silent } = await startOnTerminal(bench, [...world.args, '--person', 'alice']);
    program.send('xoxp-1-2-TestTokenOfAPerson\n');
    await until('the answer', () => /begins with xoxb- from/.test(said(program)), { status: () => program.story() });
    await silent();
    program.send(`${slack.botToken}\n`);
    await until('the next step', () => said(program).includes('begins with xapp-'), { status: () => program.story() });
    await silent();
    program.send(`${slack.appToken}\n`);
    await codeOf(program);
    program.send('\x03');
    await program.ended({ within: 10_000 });
    assert.match(said(program), /ended with 130$/m);
    assert.match(said(program), / echo /, 'the terminal shows again what is typed');
    assert.doesNotMatch(said(program), /TestToken/);
    nothingIn(dirname(config));
    assert.deepEqual(bench.strays(), []);
});

test('setup slack offers the channels that the bot is in, and asks in the chosen one', async (t) => {
    const hidden = { id: 'C0KEY', name: 'keys', secret: true, member: true };
    const world = await openWorld(t, { channels: ['C0OPS', { id: 'C0ALL', name: 'general' }, hidden] });
    const { bench, slack, config } = world;
    const { program, silent } = await startOnTerminal(bench, [...world.args, '--person', 'alice']);
    program.send(`${slack.botToken}\n`);
    await until('the next step', () => said(program).includes('begins with xapp-'), { status: () => program.story() });
    await silent();
    program.send(`${slack.appToken}\n`);
    await sayCode(world, program);
    await until('the list', () => said(program).includes('#ops'), { status: () => program.story() });
    assert.match(said(program), /1 {2}your private chat with the bot\n {4}2 {2}#keys \(C0KEY\).*\n {4}3 {2}#ops \(C0/);
    assert.doesNotMatch(said(program), /general/, 'the bot is not in it');
    program.send('9\n');
    await until('the refusal', () => said(program).includes('write 1 to 3'), { status: () => program.story() });
    program.send('3\n');
    const message = await testCard(world, program, 'C0OPS');
    await until('Socket Mode', () => slack.sockets.length === 2);
    await slack.press({ user: alice, message, label: 'Deny' });
    await until('the end', () => /ended with 0/.test(said(program)), { status: () => program.story() });
    assert.match(readFileSync(config, 'utf8'), /ask {6}= \[ { channel = "slack", chat = "C0OPS" } \]/);
});

test('setup slack --chat with a channel where the bot is not a member says to invite it', async (t) => {
    const world = await openWorld(t, { channels: [{ id: 'C0ALL', name: 'general' }] });
    const program = start(world, { more: ['--chat', 'C0ALL'] });
    await sayCode(world, program);
    await fails(program, /in #general \(C0ALL\), where @countersign is not a member: type \/invite @countersign/);
    assert.match(said(program), /It ended as: undeliverable/);
    const misspelt = start(world, { more: ['--chat', '#general'] });
    assert.equal((await misspelt.ended()).code, 2);
    assert.match(said(misspelt), /--chat: .*write chat = "C0123ABCD"/);
});

const print = (...more) =>
    execFileSync(countersignBinary(), ['setup', 'slack', '--manifest', ...more], { encoding: 'utf8', stdio: 'pipe' });

test('setup slack --manifest prints deploy/slack-manifest.yaml, or the same for a webhook', () => {
    assert.equal(print(), manifest);
    const url = 'https://desk.example/webhooks/slack/ops';
    const lines = print('--webhook', 'https://desk.example/', '--channel', 'ops').split('\n');
    const added = lines.filter((line) => line.includes(url));
    const commands = manifest.match(/- command: /g).length;
    assert.deepEqual(added, [
        ...Array(commands).fill(`      url: ${url}`),
        `    request_url: ${url}`,
        `    request_url: ${url}`,
    ]);
    assert.ok(lines.includes('  socket_mode_enabled: false'));
    const rest = (all) => all.filter((line) => !line.includes(url) && !/^#|socket_mode_enabled/.test(line));
    assert.deepEqual(rest(lines), rest(manifest.split('\n')));
    assert.throws(() => print('--webhook', 'http://desk.example'), /https only/);
});

const freePort = () =>
    new Promise((resolve) => {
        const server = createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });

test('setup slack --webhook: the test comes through it, and --socket goes back', async (t) => {
    const world = await openWorld(t);
    const { slack, config, args } = world;
    const here = `127.0.0.1:${await freePort()}`;
    const url = `http://${here}/webhooks/slack/slack`;
    const webhook = ['--webhook', `http://${here}`, '--listen', here];
    const wrong = start(world, { input: `${tokens(world)}${slack.botToken}\n`, more: webhook });
    await fails(wrong, /a token, not the signing secret/);
    const program = start(world, { input: `${tokens(world)}${slack.signingSecret}\n`, more: webhook });
    await sayCode(world, program);
    await until('the addresses', () => said(program).split(url).length === 4, { status: () => program.story() });
    slack.webhook = url;
    const message = await testCard(world, program);
    // What was signed in the second of the start is stale.
    const now = () => Math.floor(Date.now() / 1000);
    const started = now();
    await until('the next second', () => now() > started);
    await slack.press({ user: alice, message, label: 'Allow once' });
    await succeeds(program);
    const text = readFileSync(config, 'utf8');
    assert.match(text, /^mode = "webhook"$/m);
    const file = /^signing_secret_file\s+= "(.*)"$/m.exec(text)[1];
    assert.equal(readFileSync(file, 'utf8').trim(), slack.signingSecret);
    assert.doesNotMatch(said(program), new RegExp(slack.signingSecret), 'it is printed nowhere');

    const again = (more) => world.bench.start(countersignBinary(), [...args.slice(0, 2), ...args.slice(4), ...more]);
    await succeeds(again(webhook));
    assert.equal(readFileSync(config, 'utf8'), text, 'nothing to write');
    const back = again(['--socket']);
    await succeeds(back);
    assert.doesNotMatch(readFileSync(config, 'utf8'), /^mode/m);
    assert.match(said(back), /does not need these .*: signing_secret_file in \[channels\.slack\], listen in/);
    execFileSync(countersignBinary(), ['check', 'config', config], { stdio: 'pipe' });
});

test('setup slack --webhook asks for the signing secret of a channel that has none', async (t) => {
    const world = await openWorld(t);
    const { slack, config, args } = world;
    const first = start(world, { more: ['--no-test'] });
    await sayCode(world, first);
    await succeeds(first);
    const before = readFileSync(config, 'utf8');
    const again = (input) => {
        const program = world.bench.start(countersignBinary(), [...args, '--webhook', 'https://desk.example']);
        program.send(input);
        return program;
    };
    await fails(again('short\n'), /not a signing secret: it has 32 letters and digits/);
    assert.equal(readFileSync(config, 'utf8'), before);
    assert.equal(existsSync(join(dirname(config), 'slack-signing-secret')), false);
    const changed = again(`${slack.signingSecret}\n`);
    await succeeds(changed);
    assert.equal(said(changed).split('https://desk.example/webhooks/slack/slack').length, 4);
    const file = join(dirname(config), 'slack-signing-secret');
    assert.equal(readFileSync(file, 'utf8').trim(), slack.signingSecret);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    execFileSync(countersignBinary(), ['check', 'config', config], { stdio: 'pipe' });
});
