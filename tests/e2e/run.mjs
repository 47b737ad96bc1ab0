// SPDX-License-Identifier: Apache-2.0
// Runs the bench and prints one table of its cases:
//   node tests/e2e/run.mjs [--binary build/countersign] [FILTER]
// FILTER is a part of a file's name, or else a pattern for the names of the cases.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
// Cases wait for most of their time: all of them need a minute of CPU, and the slowest file waits for over three
// minutes. Each file is a process, and each case has its own simulator, ports and directory.
const filesAtOnce = 4;
const wholeRunMax = 10 * 60_000; // about three times what it takes

// Installs what the lock names, once and after each change of the lock.
function install() {
    const changed = (file) => statSync(join(here, file)).mtimeMs;
    const installed = 'node_modules/.package-lock.json';
    if (existsSync(join(here, installed)) && changed(installed) >= changed('package-lock.json')) return;
    const { status } = spawnSync('npm', ['ci', '--loglevel=error'], { cwd: here, stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new Error('"npm ci" failed in tests/e2e: the bench needs the packages of its lock');
}

function read(args) {
    const rest = [...args];
    const at = rest.indexOf('--binary');
    const [, binary] = at < 0 ? [] : rest.splice(at, 2);
    if (rest.length > 1 || (at >= 0 && !binary) || rest[0]?.startsWith('-')) {
        throw new Error('usage: node tests/e2e/run.mjs [--binary build/countersign] [FILTER]');
    }
    return { binary: binary && resolve(binary), filter: rest[0] };
}

function run({ binary, filter }) {
    const files = readdirSync(here).filter((name) => name.endsWith('.test.mjs'));
    const named = filter ? files.filter((name) => name.includes(filter)) : files;
    const pattern = named.length ? [] : [`--test-name-pattern=${filter}`];
    const env = { ...process.env, ...(binary && { COUNTERSIGN_BINARY: binary }) };
    const args = [
        '--test',
        `--test-concurrency=${filesAtOnce}`,
        '--test-reporter=./table_reporter.mjs',
        '--test-reporter-destination=stdout',
        ...pattern,
        ...(named.length ? named : files),
    ];
    const child = spawn(process.execPath, args, { cwd: here, env, stdio: 'inherit' });
    const overdue = setTimeout(() => {
        console.error('the bench did not end in time');
        child.kill('SIGKILL');
    }, wholeRunMax);
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.on('close', (code) => {
        clearTimeout(overdue);
        process.exitCode = code ?? 1;
    });
}

try {
    const asked = read(process.argv.slice(2));
    install();
    run(asked);
} catch (error) {
    console.error(error.message);
    process.exitCode = 2;
}
