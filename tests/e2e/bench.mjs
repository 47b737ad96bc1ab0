// SPDX-License-Identifier: Apache-2.0
// The bench: the simulator, the mock model and the refusing proxy, a directory that vanishes, and processes that end
// with the test. Every wait has a deadline and says what it waited for.
import {
    accessSync,
    constants,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    readdirSync,
    readlinkSync,
    rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claudeArguments, claudeBinary, claudeEnvironment } from './claude_env.mjs';
import { codexEnvironment } from './codex_env.mjs';
import { MockLlm } from './mock_llm.mjs';
import { Program } from './program.mjs';
import { RefusingProxy } from './refusing_proxy.mjs';
import { noSecretIn } from './secrets.mjs';
import { TelegramSimulator } from './telegram_simulator.mjs';
import { countLogsBelow } from './terminal_records.mjs';
import { until } from './until.mjs';

export { until };
export const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

// build/countersign, or what run.mjs was given as --binary.
export function countersignBinary() {
    const binary = resolve(repository, process.env.COUNTERSIGN_BINARY ?? 'build/countersign');
    try {
        accessSync(binary, constants.X_OK);
    } catch {
        throw new Error(`no program at ${binary}: run "./dev build", or give --binary`);
    }
    return binary;
}

// Opens everything, and closes it after the test `t`, whatever happened:
//   const bench = await openBench(t);
export async function openBench(t, { simulator = {} } = {}) {
    const bench = new Bench();
    t.after(() => bench.close());
    await bench.open(simulator);
    return bench;
}

// A run that is interrupted leaves nothing behind either.
const open = new Set();
process.on('exit', () => open.forEach((bench) => bench.abandon()));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

class Bench {
    #programs = [];

    async open(simulatorOptions) {
        this.directory = mkdtempSync(join(tmpdir(), 'countersign-e2e-'));
        open.add(this);
        this.home = this.#folder('home');
        this.work = this.#folder('work'); // where the agent works
        this.state = this.#folder('state'); // where Countersign keeps its log
        this.proxy = await RefusingProxy.start();
        this.llm = await MockLlm.start();
        this.simulator = await TelegramSimulator.start(simulatorOptions);
    }

    #folder(name) {
        const path = join(this.directory, name);
        mkdirSync(path, { mode: 0o700 });
        return path;
    }

    // A program with exactly this environment; ended with the bench.
    start(command, args, { env = { PATH: process.env.PATH, HOME: this.home }, cwd = this.work } = {}) {
        const program = new Program(command, args, { env, cwd });
        this.#programs.push(program);
        return program;
    }

    claudeEnvironment() {
        return claudeEnvironment(this);
    }

    // more: further lines of its configuration.
    codexEnvironment(options) {
        return codexEnvironment(this, options);
    }

    // The real CLI, as a bridge would start it.
    startClaude(more = []) {
        return this.start(claudeBinary(), [...claudeArguments, ...more], { env: this.claudeEnvironment() });
    }

    // Pids of processes that live in the bench's directory: also those that left the group of who started them.
    strays() {
        const inside = (file) => {
            try {
                return file.endsWith('cwd')
                    ? readlinkSync(file).startsWith(this.directory)
                    : readFileSync(file, 'utf8').includes(`=${this.directory}/`);
            } catch {
                return false; // gone, or somebody else's
            }
        };
        const pids = readdirSync('/proc')
            .filter((name) => /^\d+$/.test(name))
            .map(Number);
        return pids.filter(
            (pid) => pid !== process.pid && (inside(`/proc/${pid}/cwd`) || inside(`/proc/${pid}/environ`)),
        );
    }

    // Whatever a case was about, the logs that it leaves keep every log's promises, and no secret is anywhere.
    async close() {
        await Promise.all(this.#programs.map((program) => program.end()));
        await Promise.all([this.simulator, this.llm, this.proxy].map((part) => part?.close()));
        try {
            if (open.has(this)) {
                countLogsBelow(this.directory);
                noSecretIn(this.#programs, this.directory);
            }
        } finally {
            this.abandon();
        }
    }

    // What can be done at once: ends every process and removes the directory.
    abandon() {
        if (!open.delete(this)) return;
        this.#programs.forEach((program) => program.signal('SIGKILL'));
        for (const pid of this.strays()) {
            try {
                process.kill(pid, 'SIGKILL');
            } catch {
                /* it ended meanwhile */
            }
        }
        rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
    }
}
