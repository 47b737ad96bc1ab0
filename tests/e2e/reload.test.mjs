// SPDX-License-Identifier: Apache-2.0
// A hub that is told to read its configuration again: all of it is checked first, and what was taken away ends at once.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import test from 'node:test';
import { alice, mallory, openWorld } from './approval_world.mjs';
import { countersignBinary, until } from './bench.mjs';
import { ask, portOf, serve } from './serving.mjs';

const reload = (world) =>
    spawnSync(countersignBinary(), ['reload', '--state', world.bench.state], { encoding: 'utf8', timeout: 30_000 });
const change = (world, from, to) => {
    const text = readFileSync(world.config, 'utf8');
    assert.ok(text.includes(from), from);
    writeFileSync(world.config, text.replace(from, to), { mode: 0o600 });
};
// So that two reloads in a row are not too close.
const anew = () => new Promise((resolve) => setTimeout(resolve, 1100));
test('a person who was taken away decides nothing from the reload on, also about what waits', async (t) => {
    const world = await openWorld(t, { group: true });
    const other = `[people.mallory]\ntelegram = ${mallory}\nroles = ["approve"]\n\n`;
    change(world, '[channels.phone]', `${other}[channels.phone]`);
    const hub = await serve(world);
    const agent = ask(world);
    const card = await world.card(agent.program);
    change(world, 'deciders = ["alice"]', 'deciders = ["mallory"]');
    const done = reload(world);
    assert.equal(done.status, 0, done.stderr);
    const refused = await world.answered(world.tap(card, 'Allow', alice));
    assert.match(refused.text, /may not/);
    assert.equal(agent.answer(), '');
    world.tap(card, 'Allow', mallory);
    await until('the answer', () => agent.answer().includes('allow_once'), { status: () => hub.story() });
    const configs = world.records().filter(({ kind }) => kind === 'config');
    assert.deepEqual(configs.map(({ config }) => config.routes[0].deciders), [['alice'], ['mallory']]);
    process.kill(hub.pid, 'SIGTERM');
    await world.ends(hub);
    execFileSync(countersignBinary(), ['audit', 'verify', '--state', world.bench.state], { stdio: 'pipe' });
});

test('a configuration that does not hold changes nothing, and each thing that is wrong is said', async (t) => {
    const world = await openWorld(t, { webhook: true });
    const hub = await serve(world);
    const good = readFileSync(world.config, 'utf8');
    const token = join(world.bench.directory, 'token');
    const admin = hub.err.map((line) => /listening on 127.0.0.1 port (\d+)/.exec(line)?.[1]).filter(Boolean)[1];
    const readiness = async () => {
        const answer = await fetch(`http://127.0.0.1:${admin}/readyz`);
        return { status: answer.status, said: await answer.text() };
    };
    const before = await readiness();
    const cases = [
        [() => change(world, 'deciders = ["alice"]', 'deciders = ["nobody"]'), /toml:\d+.*there is no such person/s],
        [() => change(world, 'listen = "127.0.0.1:0"', 'listen = "127.0.0.1:1"'), /gateway\.listen.*needs a restart/],
        [() => change(world, 'kind = "telegram"', 'kind = "telegram"\npreviou_until = "x"'), /previous_until/],
        [() => change(world, '/secret"', '/none"'), /webhook_secret_file.*does not exist/s],
        [() => writeFileSync(token, '123456:another-token-altogether'), /token is another.*needs a restart/],
    ];
    for (const [spoil, says] of cases) {
        writeFileSync(world.config, good, { mode: 0o600 });
        spoil();
        const done = reload(world);
        assert.equal(done.status, 1, done.stdout);
        assert.match(done.stderr, says);
        assert.match(done.stderr, /Nothing changed/);
        await anew();
    }
    assert.equal(world.records().filter(({ kind }) => kind === 'config').length, 1);
    assert.deepEqual(await readiness(), before, 'the old configuration does its work');
    const metrics = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
    assert.match(metrics, /^countersign_reload_refused 1$/m);
});

test('GHSA-xmxx-7p24-h892 a secret that was taken away fails on an open connection; SIGHUP does it', async (t) => {
    const world = await openWorld(t, { webhook: true });
    const hub = await serve(world);
    const kept = new http.Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => kept.destroy());
    let sockets = 0;
    const deliver = (secret) =>
        new Promise((resolve, reject) => {
            const request = http.request(
                `http://127.0.0.1:${portOf(hub)}/webhooks/telegram/phone`,
                { method: 'POST', agent: kept, headers: { 'x-telegram-bot-api-secret-token': secret } },
                (response) => response.resume().on('end', () => resolve(response.statusCode)),
            );
            request.on('socket', (socket) => {
                if (!socket.counted) sockets += 1;
                socket.counted = true;
            });
            request.on('error', reject).end('{"update_id":1,"message":{}}');
        });
    const secretFile = join(world.bench.directory, 'secret');
    const previous = join(world.bench.directory, 'previous');
    assert.equal(await deliver(world.secret), 200);

    // Both count while one replaces the other.
    writeFileSync(previous, world.secret, { mode: 0o600 });
    writeFileSync(secretFile, 'the-new-secret-of-the-webhook-01', { mode: 0o600 });
    const until30 = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z/, 'Z');
    const lines = `previous_webhook_secret_file = "${previous}"\nprevious_until = "${until30}"\n`;
    change(world, 'mode = "webhook"', `${lines}mode = "webhook"`);
    assert.equal(reload(world).status, 0);
    assert.equal(await deliver(world.secret), 200);
    assert.equal(await deliver('the-new-secret-of-the-webhook-01'), 200);

    change(world, lines, '');
    await anew();
    process.kill(hub.pid, 'SIGHUP');
    await until('the reload', () => hub.out.filter((line) => line.includes('configuration reloaded')).length === 2, {
        status: () => hub.story(),
    });
    assert.equal(await deliver(world.secret), 401);
    assert.equal(await deliver('the-new-secret-of-the-webhook-01'), 200);
    assert.equal(sockets, 1, 'all on one connection');
});

test('reload without a hub says so', async (t) => {
    const world = await openWorld(t);
    const done = reload(world);
    assert.equal(done.status, 1);
    assert.match(done.stderr, /no hub runs/);
});
