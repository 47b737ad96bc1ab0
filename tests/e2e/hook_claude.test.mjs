// SPDX-License-Identifier: Apache-2.0
// The session that a person already runs: the real Claude Code in a terminal, and the same question on a phone. The
// first answer wins, and both ends say who it was.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { repository, until } from './bench.mjs';
import { cardOf, openHookWorld, startSession } from './hook_world.mjs';
import { bash, call } from './mock_llm.mjs';
import { serve } from './serving.mjs';

const enter = '\r';
const escape = '\x1b';
const down = '\x1b[B';

describe('hook claude', { concurrency: 6 }, () => {
    test('the phone allows: it runs, and the terminal says that the hook allowed it', async (t) => {
        const world = await openHookWorld(t);
        const file = join(world.bench.work, 'made');
        const session = startSession(world, 'allow', [[bash(`touch ${file}`)]]);
        const card = await cardOf(world, 'touch');
        await session.dialog();
        assert.equal(existsSync(file), false, 'it ran before it was allowed');
        world.tap(card, 'Allow once');
        assert.match(await world.concluded(card, world.hub), /Allowed/);
        assert.equal((await session.result('allow')).isError, false);
        assert.equal(existsSync(file), true);
        await session.shows(/Allowed by PermissionRequest hook/);
        assert.equal(world.record('decision').decidedBy, 'alice');
        assert.ok(world.record('forwarded'), 'the hook has handed it over');
        world.verifies();
    });

    test('the phone denies with words: it does not run, and the model reads them', async (t) => {
        const world = await openHookWorld(t);
        const file = join(world.bench.work, 'made');
        const session = startSession(world, 'deny', [[bash(`touch ${file}`)]]);
        const card = await cardOf(world, 'touch');
        const [, id] = /([0-9A-HJKMNP-TV-Z]{26})/.exec(card.text);
        await session.dialog();
        world.bench.simulator.say({ user: 77, text: `/deny ${id} not on a Friday` });
        assert.match(await world.concluded(card, world.hub), /Denied/);
        const seen = await session.result('deny');
        assert.deepEqual([seen.isError, existsSync(file)], [true, false]);
        assert.match(seen.text, /not on a Friday/);
    });

    test('Yes at the keyboard: the card says so while the command still runs', async (t) => {
        const world = await openHookWorld(t);
        const file = join(world.bench.work, 'made');
        const session = startSession(world, 'yes', [[bash(`sleep 8; touch ${file}`)]]);
        const card = await cardOf(world, 'touch');
        await session.dialog();
        await session.keys('1');
        const pressed = Date.now();
        assert.match(await world.concluded(card, world.hub), /answered at the terminal/);
        assert.ok(Date.now() - pressed < 5_000, 'it took until the command had ended');
        assert.equal(existsSync(file), false, 'the command had ended');
        assert.deepEqual(session.hooks(), []);
        assert.equal((await session.result('yes')).isError, false);
        world.verifies();
    });

    for (const key of ['No', 'Esc']) {
        test(`${key} at the keyboard: nothing runs, and the card says so`, async (t) => {
            const world = await openHookWorld(t);
            const file = join(world.bench.work, 'made');
            const session = startSession(world, 'no', [[bash(`touch ${file}`)]]);
            const card = await cardOf(world, 'touch');
            await session.dialog();
            await session.keys(key === 'No' ? await session.chooseNo() : escape);
            assert.match(await world.concluded(card, world.hub), /answered at the terminal/);
            assert.equal(existsSync(file), false);
            await until('the hook to end', () => session.hooks().length === 0);
            world.verifies();
        });
    }

    test('No with words at the keyboard: the turn goes on, and the card says so', async (t) => {
        const world = await openHookWorld(t);
        const file = join(world.bench.work, 'made');
        const session = startSession(world, 'words', [[bash(`touch ${file}`)]]);
        const card = await cardOf(world, 'touch');
        await session.dialog();
        const choices = Number(await session.chooseNo());
        await session.keys(...Array(choices - 1).fill(down), '\t', 'use ls instead', enter);
        assert.match(await world.concluded(card, world.hub), /answered at the terminal/);
        assert.match((await session.result('words')).text, /use ls instead/);
        assert.equal(existsSync(file), false);
    });

    test('a hub that is away, or was never there: the terminal decides alone', async (t) => {
        const world = await openHookWorld(t, { hub: false });
        const file = join(world.bench.work, 'made');
        const session = startSession(world, 'away', [[bash(`touch ${file}`)]]);
        await session.dialog();
        assert.equal(existsSync(file), false, 'a hub that is away allowed something');
        assert.deepEqual(session.hooks(), []);
        await session.keys('1');
        await session.result('away');
        assert.equal(existsSync(file), true);
    });

    test('a hook that is killed: the dialog stays, and the card says that nothing came of it', async (t) => {
        const world = await openHookWorld(t);
        const file = join(world.bench.work, 'made');
        const session = startSession(world, 'killed', [[bash(`touch ${file}`)]]);
        const card = await cardOf(world, 'touch');
        await session.dialog();
        for (const pid of session.hooks()) process.kill(pid, 'SIGKILL');
        await world.concluded(card, world.hub);
        assert.equal(existsSync(file), false);
        await session.keys('1');
        await session.result('killed');
        assert.equal(existsSync(file), true);
        world.verifies();
    });

    test('a hub that restarts: the same request goes on, and a tap on its new card counts', async (t) => {
        const world = await openHookWorld(t);
        const file = join(world.bench.work, 'made');
        const session = startSession(world, 'restart', [[bash(`touch ${file}`)]]);
        const card = await cardOf(world, 'touch');
        await session.dialog();
        const id = ({ text }) => /([0-9A-HJKMNP-TV-Z]{26})/.exec(text)[1];
        world.hub.signal('SIGKILL');
        await world.hub.ended();
        assert.equal(session.hooks().length, 1, 'the hook waits for the next hub');
        const buttons = ({ keyboard }) => JSON.stringify(keyboard);
        world.hub = await serve(world);
        const renewed = await world.card(world.hub, (one) => id(one) === id(card) && buttons(one) !== buttons(card));
        assert.equal(existsSync(file), false);
        world.tap(renewed, 'Allow once');
        assert.equal((await session.result('restart')).isError, false);
        assert.equal(existsSync(file), true);
        world.verifies();
    });

    test('without a terminal: the phone decides, and no hub is a deny that the model reads', async (t) => {
        const world = await openHookWorld(t);
        const file = join(world.bench.work, 'made');
        const flags = ['--unattended'];
        const allowed = startSession(world, 'print', [[bash(`touch ${file}`)]], { flags, print: true });
        world.tap(await cardOf(world, 'touch'), 'Allow once');
        assert.equal((await allowed.result('print')).isError, false);
        assert.equal(existsSync(file), true);
        world.hub.signal('SIGTERM');
        await world.hub.ended();
        const denied = startSession(world, 'alone', [[bash(`rm ${file}`)]], { flags, print: true });
        assert.match((await denied.result('alone')).text, /No one was asked, so this was not run/);
        assert.equal(existsSync(file), true);
    });

    test('two calls at once, one answered on the phone and one at the keyboard', async (t) => {
        const world = await openHookWorld(t);
        const fetches = ['a', 'b'].map((page) => call('WebFetch', { url: `http://127.0.0.1:9/${page}`, prompt: 'x' }));
        const session = startSession(world, 'both', [fetches]);
        const [first, second] = [await cardOf(world, '9/a'), await cardOf(world, '9/b')];
        await session.dialog();
        world.tap(first, 'Deny');
        assert.match(await world.concluded(first, world.hub), /Denied/);
        await session.dialog();
        await session.keys(escape);
        assert.match(await world.concluded(second, world.hub), /answered at the terminal/);
        world.verifies();
    });

    test('a sub-agent waits for the phone first, and for the keyboard after that', async (t) => {
        const world = await openHookWorld(t);
        const file = join(world.bench.work, 'made');
        const agent = call('Agent', {
            description: 'sub task',
            prompt: '[[inner]] do it',
            subagent_type: 'general-purpose',
        });
        const session = startSession(world, 'outer', [[agent]], {
            flags: ['--sub-agent-wait', '4'],
            sub: { inner: [[bash(`touch ${file}`)]] },
        });
        const card = await cardOf(world, 'touch');
        assert.match(card.text, /inner agent general-purpose/);
        assert.doesNotMatch(session.screen(), /1\. ?Yes/);
        assert.match(await world.concluded(card, world.hub), /the terminal asks now/);
        await session.dialog();
        await session.keys('1');
        await session.result('inner');
        assert.equal(existsSync(file), true);
        world.verifies();
    });

    test('the plugin brings the same hook', async (t) => {
        const world = await openHookWorld(t);
        const file = join(world.bench.work, 'made');
        const plugin = join(repository, 'deploy/claude-plugin');
        const session = startSession(world, 'plugin', [[bash(`touch ${file}`)]], { plugin });
        const card = await cardOf(world, 'touch');
        await session.dialog();
        world.tap(card, 'Allow once');
        assert.equal((await session.result('plugin')).isError, false);
        assert.equal(existsSync(file), true);
    });

    test('a question of the agent is answered on the phone', async (t) => {
        const world = await openHookWorld(t);
        const question = call('AskUserQuestion', {
            questions: [
                {
                    question: 'Which color?',
                    header: 'Color',
                    options: [
                        { label: 'Red', description: 'the red one' },
                        { label: 'Blue', description: 'the blue one' },
                    ],
                    multiSelect: false,
                },
            ],
        });
        const session = startSession(world, 'ask', [[question]]);
        const card = await cardOf(world, 'Which color?');
        world.tap(card, '2. Blue');
        assert.match((await session.result('ask')).text, /Blue/);
        world.verifies();
    });
});
