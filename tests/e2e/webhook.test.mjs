// SPDX-License-Identifier: Apache-2.0
// The same approval by webhook: the secret token first, then everything else.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { openWorld } from './approval_world.mjs';
import { countersignBinary, until } from './bench.mjs';
import { bash } from './mock_llm.mjs';
import { serve } from './serving.mjs';

const listening = (program) =>
    until('two listeners', () => {
        const ports = program.err.map((line) => /listening on 127.0.0.1 port (\d+)/.exec(line)?.[1]).filter(Boolean);
        return ports.length === 2 ? ports.map(Number) : null;
    }, { within: 60_000, status: () => program.story() });

test('I5 a webhook with the wrong secret decides nothing; with the right one it does', async (t) => {
    const world = await openWorld(t, { webhook: true });
    const file = join(world.bench.work, 'made');
    const program = world.run('webhook', [[bash(`touch ${file}`)]]);
    const [port, admin] = await listening(program);
    assert.equal((await fetch(`http://127.0.0.1:${admin}/livez`)).status, 200);
    const unready = await fetch(`http://127.0.0.1:${admin}/readyz`);
    assert.match(await unready.text(), /no webhook is set at Telegram/);
    const url = `http://127.0.0.1:${port}/webhooks/telegram/phone`;
    const card = await world.card(program);
    const body = JSON.stringify({ update_id: 1, callback_query: { id: '1' } });
    for (const secret of [undefined, '', 'wrong', `${world.secret}x`, world.secret.toUpperCase()]) {
        const headers = { 'content-type': 'application/json' };
        if (secret !== undefined) headers['x-telegram-bot-api-secret-token'] = secret;
        assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 401, secret);
    }
    assert.equal(existsSync(file), false);
    const set = await fetch(`${world.bench.simulator.url}/bot${world.bench.simulator.token}/setWebhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url, secret_token: world.secret }),
    });
    assert.equal(set.status, 200, await set.text());
    world.tap(card, 'Allow once');
    assert.match(await world.concluded(card, program), /Allowed/);
    assert.equal((await fetch(`http://127.0.0.1:${admin}/readyz`)).status, 200, 'an update came in');
    await world.ends(program);
    assert.equal(existsSync(file), true);
});

const isAccess = (line) => line.startsWith('{') && JSON.parse(line).event === 'http';
const runIdle = (world, more = []) =>
    world.bench.start(countersignBinary(), [
        ...['run', 'event', '--state', world.bench.state, '--config', world.config, ...more, '--', 'cat'],
    ]);
// A delivery that Telegram did not send.
async function knock(program) {
    const [port] = await listening(program);
    const url = `http://127.0.0.1:${port}/webhooks/telegram/phone`;
    assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 401);
}
const logged = (program) =>
    until('the access log', () => program.err.find(isAccess), { status: () => program.story() });

test('serve says which file, bot and way of updates it is about, and writes the access log', async (t) => {
    const world = await openWorld(t, { webhook: true });
    const hub = await serve(world);
    assert.ok(hub.err.includes(`configuration: ${world.config}`), hub.story());
    assert.ok(
        hub.err.some((line) => /^channel phone: @\w+, webhook$/.test(line)),
        hub.story(),
    );
    await knock(hub);
    await logged(hub);

    const polling = await openWorld(t);
    const other = await serve(polling);
    assert.ok(
        other.err.some((line) => /^channel phone: @\w+, polling$/.test(line)),
        other.story(),
    );
});

test('run writes no access log amid what the agent says, unless it is asked to', async (t) => {
    const world = await openWorld(t, { webhook: true });
    const quiet = runIdle(world);
    await knock(quiet);
    quiet.signal('SIGTERM');
    await quiet.ended();
    assert.deepEqual(quiet.err.filter(isAccess), []);
    const asked = runIdle(world, ['--access-log']);
    await knock(asked);
    await logged(asked);
});
