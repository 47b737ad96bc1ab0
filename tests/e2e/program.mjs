// SPDX-License-Identifier: Apache-2.0
// A program that a test talks to: its lines are kept, awaited one after the other, and it ends with its descendants.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { until } from './until.mjs';

const linesMax = 20_000;
const killAfter = 3_000;

export class Program {
    #child;
    #read = 0; // lines of standard output that line() has passed
    out = [];
    err = [];
    exit = null; // {code, signal} once it has ended

    constructor(command, args, { env, cwd }) {
        this.name = command.split('/').at(-1);
        // A group of its own, so that what it started can be ended too.
        this.#child = spawn(command, args, { env, cwd, stdio: 'pipe', detached: true });
        this.pid = this.#child.pid;
        this.#child.on('error', (error) => {
            this.err.push(error.message);
            this.exit ??= { code: null, signal: null };
        });
        this.#child.on('close', (code, signal) => {
            this.exit = { code, signal };
        });
        this.#child.stdin.on('error', () => {}); // it may be gone already; exit says so
        for (const name of ['stdout', 'stderr']) {
            const kept = name === 'stdout' ? this.out : this.err;
            createInterface({ input: this.#child[name] }).on('line', (line) => {
                if (kept.length < linesMax) kept.push(line);
            });
        }
    }

    // A string as it is, anything else as one line of JSON.
    send(what) {
        this.#child.stdin.write(typeof what === 'string' ? what : `${JSON.stringify(what)}\n`);
    }

    closeInput() {
        this.#child.stdin.end();
    }

    // The next line of standard output that fits; earlier ones are passed over and do not come again.
    async line(what, fits, { within } = {}) {
        return until(
            `${this.name} to print ${what}`,
            () => {
                while (this.#read < this.out.length) {
                    const line = this.out[this.#read++];
                    if (fits(line)) return line;
                }
                if (this.exit) throw new Error(`${this.name} ended before it printed ${what}\n${this.story()}`);
                return null;
            },
            { within, status: () => this.story() },
        );
    }

    // The same for programs that print one JSON object a line.
    async json(what, fits, { within } = {}) {
        let found;
        await this.line(
            what,
            (line) => {
                try {
                    found = JSON.parse(line);
                } catch {
                    return false;
                }
                return fits(found);
            },
            { within },
        );
        return found;
    }

    async ended({ within } = {}) {
        return until(`${this.name} to end`, () => this.exit, { within, status: () => this.story() });
    }

    // To the whole group, also when its first process has ended.
    signal(name) {
        if (this.pid === undefined) return;
        try {
            process.kill(-this.pid, name);
        } catch (error) {
            if (error.code !== 'ESRCH') throw error;
        }
    }

    // Asks the whole group to end, then does not ask.
    async end() {
        if (this.pid === undefined) return;
        if (!this.exit) {
            this.signal('SIGTERM');
            await until('end', () => this.exit, { within: killAfter }).catch(() => {});
        }
        this.signal('SIGKILL');
        // A descendant that left the group may hold the other end.
        this.#child.stdout.destroy();
        this.#child.stderr.destroy();
        await this.ended();
    }

    // The last lines, for an error message.
    story() {
        const tail = (name, lines) => lines.slice(-15).map((line) => `${name} ${line.slice(0, 500)}`);
        const ending = this.exit ? [`exit ${JSON.stringify(this.exit)}`] : [];
        return [...tail('out', this.out), ...tail('err', this.err), ...ending].join('\n');
    }
}
