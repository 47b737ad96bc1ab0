// SPDX-License-Identifier: Apache-2.0
// A Claude Code session as people run it: its own terminal, its own dialogs, and Countersign as its hook.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alice, openWorld } from './approval_world.mjs';
import { countersignBinary, until } from './bench.mjs';
import { claudeBinary } from './claude_env.mjs';
import { serve } from './serving.mjs';

const apiKey = 'sk-ant-not-a-key';
const startup = { within: 60_000 };
// The CLI ignores keys in the first moments of a dialog.
const dialogSettles = 1_000;
const escape = '\x1b';
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// What the terminal has shown so far, without the sequences that place and color it.
const plain = (text) =>
    text
        .replace(/\x1b\][^\x07]*\x07/g, '')
        .replace(/\x1b\[\d*C/g, ' ')
        .replace(/\x1b\[[0-9;?>=<]*[a-zA-Z]/g, '')
        .replace(/\s+/g, ' ');

// A hub that runs, and a person with a phone.
export async function openHookWorld(t, { hub = true } = {}) {
    const world = await openWorld(t);
    world.bench.simulator.addUser({ id: alice, first_name: 'Alice' });
    if (hub) world.hub = await serve(world);
    return world;
}

// The CLI in a terminal, with our hook as --install adds it. The flags are those of `countersign hook claude`. A plugin
// brings its own hook. `print`: without dialogs, as in a script.
export function startSession(world, name, steps, { flags = [], plugin, print = false, sub = {} } = {}) {
    const { bench } = world;
    const env = { ...bench.claudeEnvironment(), TERM: 'xterm-256color' };
    const settings = join(env.CLAUDE_CONFIG_DIR, 'settings.json');
    if (plugin) {
        writeFileSync(settings, JSON.stringify({ permissions: { defaultMode: 'default' } }));
        Object.assign(env, ownPlaces(world));
    } else {
        const places = ['--state', bench.state, '--config', world.config];
        const install = ['--install', '--default-mode', '--settings', settings];
        execFileSync(countersignBinary(), ['hook', 'claude', ...install, ...places, ...flags]);
    }
    // As if a person had answered the questions of a first start.
    writeFileSync(
        join(env.CLAUDE_CONFIG_DIR, '.claude.json'),
        JSON.stringify({
            hasCompletedOnboarding: true,
            theme: 'dark',
            customApiKeyResponses: { approved: [apiKey.slice(-20)], rejected: [] },
            projects: { [bench.work]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
        }),
    );
    for (const [script, calls] of Object.entries(sub)) bench.llm.script(script, calls);
    const more = (plugin ? ` --plugin-dir ${plugin}` : '') + (print ? ' -p' : '');
    return new Session(world, `'${bench.llm.script(name, steps)} go'${more}`, env);
}

// A user whose countersign, state and configuration are where they are by default.
function ownPlaces({ bench, config }) {
    const folder = (name) => {
        const path = join(bench.directory, name);
        mkdirSync(path, { recursive: true });
        return path;
    };
    symlinkSync(countersignBinary(), join(folder('bin'), 'countersign'));
    symlinkSync(bench.state, join(folder('xdg-state'), 'countersign'));
    symlinkSync(config, join(folder('xdg-config/countersign'), 'countersign.toml'));
    return {
        PATH: `${join(bench.directory, 'bin')}:${process.env.PATH}`,
        XDG_STATE_HOME: join(bench.directory, 'xdg-state'),
        XDG_CONFIG_HOME: join(bench.directory, 'xdg-config'),
    };
}

class Session {
    #world;
    #log;
    #seen = 0; // how much of the screen was there at the last dialog

    constructor(world, prompt, env) {
        this.#world = world;
        this.#log = join(world.bench.directory, `terminal-${performance.now()}`);
        const shell = `stty cols 120 rows 45; exec ${claudeBinary()} ${prompt}`;
        this.program = world.bench.start('script', ['-qfec', shell, this.#log], { env });
    }

    screen() {
        try {
            return plain(readFileSync(this.#log, 'utf8'));
        } catch {
            return '';
        }
    }

    // Until the terminal has shown this.
    shows(what) {
        const status = () => this.screen().slice(-1500);
        return until(`the terminal to show ${what}`, () => what.test(this.screen()), { ...startup, status });
    }

    // A dialog that takes keys. After a turn the CLI may offer another mode first.
    async dialog() {
        const status = () => this.screen().slice(-1500);
        let declined = 0;
        const appeared = () => {
            const screen = this.screen();
            const offer = screen.lastIndexOf('Make auto mode your default');
            if (offer > declined) {
                declined = screen.length;
                setTimeout(() => this.program.send(escape), dialogSettles);
            }
            return /❯ ?1\.? ?Yes/.test(screen.slice(this.#seen));
        };
        await until('the dialog', appeared, { ...startup, status });
        await pause(dialogSettles);
        this.#seen = this.screen().length;
    }

    async keys(...keys) {
        for (const key of keys) {
            this.program.send(key);
            await pause(250);
        }
    }

    // "No" is the last choice of a dialog, and its number varies.
    async chooseNo() {
        const choice = [...this.screen().matchAll(/(\d)\. ?No\b/g)].at(-1);
        if (!choice) throw new Error(`the dialog has no No: ${this.screen().slice(-800)}`);
        return choice[1];
    }

    result(name) {
        const { llm } = this.#world.bench;
        return until(`the model to hear of ${name}`, () => llm.results(name)[0], {
            ...startup,
            status: () => this.screen().slice(-1500),
        });
    }

    // The pids of the hook processes that wait.
    hooks() {
        return readdirSync('/proc')
            .filter((pid) => /^\d+$/.test(pid))
            .filter((pid) => {
                try {
                    const [program, command, ...rest] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
                    const ours = program.endsWith('/countersign') && command === 'hook';
                    return ours && rest.includes(this.#world.bench.state);
                } catch {
                    return false;
                }
            })
            .map(Number);
    }
}

// A card of the phone that shows this.
export const cardOf = (world, words) => world.card(world.hub, ({ text }) => text.includes(words));
