// SPDX-License-Identifier: Apache-2.0
// `countersign setup discord`, from nothing to the first tap, without a public address.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { countersignBinary, openBench, until } from './bench.mjs';
import { DiscordSimulator } from './discord_simulator.mjs';
import { openWorld as openHub } from './discord_world.mjs';
import { startOnTerminal } from './on_terminal.mjs';

const alice = '539082325061836801';
const mallory = '539082325061836666';
const ops = '345626669114982001';
const general = '345626669114982002';
const secret = '345626669114982003';
// View Channel, Send Messages, Attach Files, Read Message History, Create Public Threads, Send Messages in Threads.
const needed = [10n, 11n, 15n, 16n, 35n, 38n].reduce((sum, bit) => sum | (1n << bit), 0n);

async function openWorld(t, { channels = [] } = {}) {
    const bench = await openBench(t);
    const discord = await DiscordSimulator.start({ channels, identifyEvery: 0 });
    t.after(() => discord.close());
    for (const [id, username] of Object.entries({ [alice]: 'Alice', [mallory]: 'Mallory' }))
        discord.addUser({ id, username });
    const config = join(bench.directory, 'config', 'countersign.toml');
    const args = ['setup', 'discord', '--base-url', discord.url, '--config', config, '--state', bench.state];
    return { bench, discord, config, args };
}
function start(world, { input = `${world.discord.botToken}\n`, more = [] } = {}) {
    const program = world.bench.start(countersignBinary(), [...world.args, '--person', 'alice', ...more]);
    program.send(input);
    return program;
}
const said = (program) => [...program.err, ...program.out].join('\n').replaceAll('\r', '');
const codesIn = (program) => [...said(program).matchAll(/^ {4}([0-9A-Z]{8})$/gm)].map(([, code]) => code);
const codeOf = (program) => until('the code', () => codesIn(program)[0], { status: () => program.story() });
const says = (program, words) =>
    until(`"${words}"`, () => said(program).includes(words), { within: 30_000, status: () => program.story() });
const connected = ({ discord }, program) =>
    until('a session', () => discord.gateway.connected.length === 1, { status: () => program.story() });
const direct = ({ discord }, user) => discord.world.directChannel(user).id;
const tell = (world, user, text) => world.discord.say({ user, channel: direct(world, user), text });
const sayCode = async (world, program) => {
    const code = await codeOf(program);
    await connected(world, program);
    await tell(world, alice, code);
};
const testCard = ({ discord }, program, channel) =>
    until('the test approval', () => discord.messages({ channel }).find((m) => discord.labels(m).includes('Deny')), {
        within: 30_000,
        status: () => program.story(),
    });
const succeeds = async (program) => assert.equal((await program.ended()).code, 0, program.story());
const fails = async (program, words) => {
    assert.equal((await program.ended()).code, 1, program.story());
    assert.match(said(program), words);
};
const nothingIn = (directory) => assert.deepEqual(existsSync(directory) ? readdirSync(directory) : [], []);
const commandsIn = ({ discord }, where) => (discord.world.commands.get(where) ?? []).map(({ name }) => name).sort();
const ours = ['approve', 'countersign', 'deny', 'halt', 'pending'];

test('setup discord binds the person who writes the code, and sends a test that one tap answers', async (t) => {
    const world = await openWorld(t, { channels: [ops] });
    const { discord, config } = world;
    const program = start(world);
    const code = await codeOf(program);
    await connected(world, program);
    await tell(world, mallory, 'hello');
    await tell(world, mallory, 'ABCD1234');
    const answersTo = (user) => discord.messages({ channel: direct(world, user) });
    await until('an answer', () => answersTo(mallory).length === 2);
    await tell(world, alice, code.toLowerCase());
    const message = await testCard(world, program, direct(world, alice));
    await connected(world, program);
    await discord.press({ user: alice, message, label: 'Allow once' });
    await succeeds(program);
    const words = said(program);
    const invitation = `https://discord.com/oauth2/authorize?client_id=${discord.application}`;
    assert.ok(words.includes(`${invitation}&scope=bot+applications.commands&permissions=${needed}`), words);
    assert.match(words, /This is @countersign \(application 290926444748734465\)\.$/m);
    assert.match(words, /^The bot is in Acme\.$/m);
    assert.match(words, new RegExp(`https://discord.com/users/${discord.bot}$`, 'm'));
    assert.match(words, /^Someone sent a wrong code\.$/m);
    assert.match(words, new RegExp(`^You are discord:${alice}\\.$`, 'm'));
    assert.match(words, /ended as: allowed/);
    assert.match(discord.readable(answersTo(mallory)[0]), /Send the code that your terminal shows/);
    assert.match(discord.readable(answersTo(alice)[0]), /Go back to your terminal/);
    assert.deepEqual(commandsIn(world, 'everywhere'), ours);
    assert.match(words, /The bot is in the group 345626669114982001 \(#ops of Acme\)\./);
    const text = readFileSync(config, 'utf8');
    assert.match(text, new RegExp(`^discord = "${alice}"$`, 'm'));
    assert.match(text, /^application_id = "290926444748734465"$/m);
    assert.match(text, /ask {6}= \[ { channel = "discord", people = \["alice"\] } \]/);
    const file = /^token_file\s+= "(.*)"$/m.exec(text)[1];
    for (const one of [file, config]) assert.equal(statSync(one).mode & 0o777, 0o600);
    assert.doesNotMatch(words + text, /TokenOfTheSimulator/, 'a token is printed nowhere');
    const [identify] = discord.gateway.frames.filter(({ op }) => op === 2);
    assert.equal(identify.d.intents, 1 << 12, 'direct messages, which need no privilege');
});

test('setup discord takes the code from the slash command, which only its sender sees', async (t) => {
    const world = await openWorld(t, { channels: [ops] });
    const { discord, config } = world;
    const program = start(world, { more: ['--no-test'] });
    const code = await codeOf(program);
    await connected(world, program);
    const slash = (user, words) => discord.slash({ user, channel: ops, command: 'countersign', options: { words } });
    await slash(mallory, 'start 00000000');
    await slash(alice, `start ${code}`);
    const [refused, taken] = discord.messages({ ephemeral: true });
    assert.equal(refused.ephemeral, mallory);
    assert.match(discord.readable(refused), /the code that your terminal shows/);
    assert.equal(taken.ephemeral, alice);
    assert.match(discord.readable(taken), /Go back to your terminal/);
    await succeeds(program);
    assert.match(readFileSync(config, 'utf8'), new RegExp(`discord = "${alice}"`));
});

test('setup discord does not bind a bot, and shows another code when one sends it', async (t) => {
    const world = await openWorld(t, { channels: [ops] });
    const { discord } = world;
    const other = discord.addUser({ id: '539082325061830099' });
    const program = start(world, { more: ['--no-test'] });
    const code = await codeOf(program);
    await connected(world, program);
    const channel = direct(world, other.id);
    other.bot = true;
    await discord.say({ user: other.id, channel, text: code });
    await says(program, 'appeared in another chat and is no longer valid');
    await tell(world, alice, code);
    await says(program, 'Someone sent a wrong code.');
    const second = codesIn(program)[1];
    await tell(world, alice, second);
    await succeeds(program);
    assert.match(said(program), new RegExp(`You are discord:${alice}\\.`));
});

test('setup discord registers the commands in one server, and names a scope that is missing', async (t) => {
    const world = await openWorld(t, { channels: [ops] });
    const { discord, config } = world;
    const { guild } = discord;
    discord.world.scopes.delete('applications.commands');
    const more = ['--no-test', '--guild', guild];
    await fails(start(world, { more }), /without the scope applications\.commands: open https:\/\/discord\.com\//);
    await fails(start(world, { more: ['--guild', 'Acme'] }), /--guild takes the id of a server/);
    nothingIn(dirname(config));
    const other = join(dirname(config), 'other', 'countersign.toml');
    const args = world.args.map((one) => (one === config ? other : one));
    const everywhere = start({ ...world, args }, { more: ['--no-test'] });
    await sayCode(world, everywhere);
    await succeeds(everywhere);
    assert.match(said(everywhere), /In Acme the bot lacks the scope applications\.commands/);
    assert.deepEqual(commandsIn(world, 'everywhere'), ours);

    discord.world.scopes.add('applications.commands');
    discord.world.commands.get('everywhere').push({ id: '1', type: 1, name: 'another', description: 'Of the owner' });
    const program = start(world, { more });
    await sayCode(world, program);
    await succeeds(program);
    assert.deepEqual(commandsIn(world, guild), ours);
    assert.deepEqual(commandsIn(world, 'everywhere'), ['another'], 'or people would see each of ours twice');
    assert.match(readFileSync(config, 'utf8'), new RegExp(`^guild += "${guild}"$`, 'm'));
});

test('setup discord says what is wrong with a token', async (t) => {
    const world = await openWorld(t);
    for (const [input, words] of [
        ['0123456789abcdef0123456789abcdef\n', /this is not a bot's token: copy it from .*Bot, Reset Token/],
        ['\n', /the token is empty: copy it from/],
        ['MjkwOTI2NDQ0NzQ4NzM0NDY1.Test-2.TokenThatWasReset\n', /Discord refuses this token \(401.*Reset Token/],
    ]) {
        await fails(start(world, { input }), words);
        nothingIn(dirname(world.config));
    }
});

test('setup discord waits until the bot is in a server', async (t) => {
    const world = await openWorld(t, { channels: [ops] });
    world.discord.world.joined = false;
    const program = start(world, { more: ['--no-test'] });
    await says(program, 'Waiting until the bot is in a server');
    assert.match(said(program), /Add the bot to your server: open this address/);
    assert.deepEqual(codesIn(program), [], 'people can write to it only in a server that they share');
    world.discord.world.joined = true;
    await sayCode(world, program);
    await succeeds(program);
});

test('setup discord names each permission that is missing in the chosen channel, and asks again', async (t) => {
    const channels = [
        { id: ops, name: 'ops', denied: ['SEND_MESSAGES', 'ATTACH_FILES'] },
        { id: general, name: 'general' },
        { id: secret, name: 'keys', denied: ['VIEW_CHANNEL'] },
        { id: '345626669114982004', name: 'standup', type: 2 },
    ];
    const world = await openWorld(t, { channels });
    const { bench, discord, config } = world;
    const { program, silent } = await startOnTerminal(bench, [...world.args, '--person', 'alice']);
    program.send('not-a-token\n');
    await says(program, "this is not a bot's token");
    await silent();
    program.send(`${discord.botToken}\n`);
    await sayCode(world, program);
    await says(program, '#general of Acme');
    assert.match(said(program), /1 {2}your private chat with the bot\n {4}2 {2}#ops of Acme \(\d+\).*\n {4}3 {2}#gene/);
    assert.doesNotMatch(said(program), /#keys|#standup/);
    assert.match(said(program), /Channels that the bot cannot see: 1\./);
    program.send('2\n');
    await says(program, 'lacks the permissions Send Messages (to show requests), Attach Files (to send a call');
    assert.match(said(program), /in #ops \(\d+\) @countersign lacks .*choose Edit Channel, Permissions/);
    discord.world.allow(ops, 'SEND_MESSAGES');
    program.send('2\n');
    await says(program, 'lacks the permission Attach Files');
    discord.world.allow(ops, 'ATTACH_FILES');
    program.send('2\n');
    const message = await testCard(world, program, ops);
    await connected(world, program);
    await discord.press({ user: mallory, message, label: 'Allow once' });
    await discord.press({ user: alice, message, label: 'Deny' });
    await until('the end', () => /ended with 0/.test(said(program)), { status: () => program.story() });
    assert.match(said(program), /It ended as: denied/);
    assert.match(readFileSync(config, 'utf8'), new RegExp(`ask {6}= \\[ { channel = "discord", chat = "${ops}" } \\]`));
    assert.doesNotMatch(said(program), /TokenOfTheSimulator/);
});

test('setup discord --chat checks the channel before anything is written', async (t) => {
    const world = await openWorld(t, { channels: [{ id: ops, denied: ['READ_MESSAGE_HISTORY'] }, { id: secret }] });
    world.discord.deny(secret, 'VIEW_CHANNEL');
    for (const [chat, words] of [
        [ops, /lacks the permission Read Message History \(to reply to its own cards\)/],
        [secret, /cannot use the channel .*give it View Channel there/],
        ['345626669114982999', /cannot use the channel .*the channel's id is wrong/],
    ]) {
        const program = start(world, { more: ['--chat', chat] });
        await sayCode(world, program);
        await fails(program, words);
        nothingIn(dirname(world.config));
    }
    const misspelt = start(world, { more: ['--chat', '#ops'] });
    assert.equal((await misspelt.ended()).code, 2);
    assert.match(said(misspelt), /--chat: .*"Copy Channel ID"/);
});

test('a hub names the permission that it lacks in a channel of its configuration', async (t) => {
    const { hub } = await openHub(t, { prepare: (discord) => discord.deny('345626669114982001', 'ATTACH_FILES') });
    await until(
        'the line',
        () => /may not arrive: in #ops \(\d+\) @countersign lacks the permission Attach Files/.test(said(hub)),
        { status: () => hub.story() },
    );
});

test('setup discord adds the bot to a configuration with Telegram and Slack, and keeps what is in it', async (t) => {
    const world = await openWorld(t);
    const { bench, config } = world;
    const file = (name, text) => {
        writeFileSync(join(bench.directory, name), text, { mode: 0o600 });
        return join(bench.directory, name);
    };
    const before = `# written by hand
[people.alice]
telegram = 77
roles = ["approve"]
[channels.phone]
kind = "telegram"
token_file = "${file('telegram-token', '1:secretsecretsecretsecretsecret')}"
[channels.slack]
kind = "slack"
token_file = "${file('slack-token', 'xoxb-1-2-TestTokenOfNoBotAtAll')}"
app_token_file = "${file('slack-app-token', 'xapp-1-A0-TestTokenOfNoAppAtAll')}"
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
    assert.ok(text.startsWith(`# written by hand\n[people.alice]\ndiscord = "${alice}"\ntelegram = 77\n`), text);
    assert.match(text, /channel = "phone", people = \["alice"\] }, { channel = "discord", people = \["alice"\] } \]/);
    assert.equal(readFileSync(`${config}.bak`, 'utf8'), before);
    execFileSync(countersignBinary(), ['check', 'config', config]);
    await fails(start(world), /this bot is the channel discord already/);
});

test('Ctrl-C while setup discord waits for the code leaves nothing behind', async (t) => {
    const world = await openWorld(t, { channels: [ops] });
    const { bench, discord, config } = world;
    const { program } = await startOnTerminal(bench, [...world.args, '--person', 'alice']);
    program.send(`${discord.botToken}\n`);
    await codeOf(program);
    program.send('\x03');
    await program.ended({ within: 10_000 });
    assert.match(said(program), /ended with 130$/m);
    assert.match(said(program), / echo /, 'the terminal shows again what is typed');
    nothingIn(dirname(config));
    assert.deepEqual(bench.strays(), []);
});

test('setup discord leaves the presses of another program alone, unless it is forced', async (t) => {
    const world = await openWorld(t, { channels: [ops] });
    const { discord } = world;
    discord.webhook = 'https://other.example/interactions';
    await fails(start(world), /sends its presses to https:\/\/other\.example\/interactions: .* delete it with --force/);
    assert.equal(discord.webhook, 'https://other.example/interactions');
    const program = start(world, { more: ['--force', '--no-test'] });
    await sayCode(world, program);
    await succeeds(program);
    assert.equal(discord.webhook, null);
});

const freePort = () =>
    new Promise((resolve) => {
        const server = createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });

test('setup discord --webhook: the test comes through it, and --gateway goes back', async (t) => {
    const world = await openWorld(t);
    const { discord, config, args } = world;
    const here = `127.0.0.1:${await freePort()}`;
    const url = `http://${here}/webhooks/discord/discord`;
    const webhook = ['--webhook', `http://${here}`, '--listen', here];
    const program = start(world, { more: webhook });
    await sayCode(world, program);
    await says(program, `under Interactions Endpoint URL:\n        ${url}`);
    const message = await testCard(world, program, direct(world, alice));
    // What was signed in the second of the start is stale.
    const now = () => Math.floor(Date.now() / 1000);
    const started = now();
    await until('the next second', () => now() > started);
    assert.ok(await discord.verify(url), 'Discord would take the address');
    discord.webhook = url;
    await discord.press({ user: alice, message, label: 'Allow once' });
    await succeeds(program);
    const text = readFileSync(config, 'utf8');
    assert.match(text, /^mode = "webhook"$/m);
    assert.match(text, new RegExp(`^public_key = "${discord.publicKey}"$`, 'm'));

    const again = (more) => world.bench.start(countersignBinary(), [...args.slice(0, 2), ...args.slice(4), ...more]);
    await succeeds(again(webhook));
    assert.equal(readFileSync(config, 'utf8'), text, 'nothing to write');
    const back = again(['--gateway']);
    await succeeds(back);
    assert.doesNotMatch(readFileSync(config, 'utf8'), /^mode/m);
    assert.equal(discord.webhook, null, 'or no press would come over the Gateway');
    assert.match(said(back), /does not need these .*: public_key in \[channels\.discord\], listen in/);
    execFileSync(countersignBinary(), ['check', 'config', config], { stdio: 'pipe' });
});
