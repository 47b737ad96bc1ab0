// SPDX-License-Identifier: Apache-2.0
// The bench cleans up after whatever ran on it, and says what it waited for.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { openBench, until } from './bench.mjs';

const shell = (bench, script) => bench.start('/bin/bash', ['-c', script]);
const alive = (pid) => existsSync(`/proc/${pid}/cwd`);

test('a wait that is in vain ends at its deadline and says what it was for', async () => {
    await assert.rejects(
        until('the sun', () => false, { within: 30, status: () => 'it rains' }),
        /waited 30 ms in vain for the sun\nit rains/,
    );
});

test('lines are awaited in their order, and a program that ends first is an error with its last words', async (t) => {
    const bench = await openBench(t);
    const program = shell(bench, 'echo one; echo \'{"n":2}\'; read answer; echo "got $answer"; echo oops >&2; exit 3');
    assert.deepEqual(await program.json('a number', ({ n }) => n === 2), { n: 2 });
    program.send('yes\n');
    assert.equal(await program.line('the answer', (line) => line.startsWith('got')), 'got yes');
    await assert.rejects(
        program.line('one again', (line) => line === 'one'),
        /ended before it printed one again[^]*err oops[^]*"code":3/,
    );
});

test('closing ends programs that ignore it, their descendants, and those that left their group', async (t) => {
    const bench = await openBench(t);
    const program = shell(
        bench,
        'trap "" TERM; setsid sleep 1000 & echo $!; sleep 1001 & echo $!; wait; wait; sleep 1002',
    );
    const pids = [program.pid];
    for (const child of ['the first', 'the second'])
        pids.push(Number(await program.line(child, (line) => /^\d+$/.test(line))));
    assert.deepEqual(pids.map(alive), [true, true, true]);
    await bench.close();
    await until('all of them to be gone', () => pids.every((pid) => !alive(pid)), { within: 5000 });
    assert.equal(existsSync(bench.directory), false);
});

test('closing counts the ends of each request in every log that is left', async (t) => {
    const request = { kind: 'request', requestId: 'a' };
    const end = (kind) => ({ kind, requestId: 'a' });
    const stop = { kind: 'stop' };
    const closed = async (records) => {
        const bench = await openBench(t);
        const log = join(bench.directory, 'elsewhere', 'audit');
        mkdirSync(log, { recursive: true });
        writeFileSync(
            join(log, 'seg-000000.log'),
            `${records.map((record) => `${JSON.stringify(record)}\tsignature\n`).join('')}{"kind":"ha\0\0`,
        );
        return bench.close().finally(() => assert.equal(existsSync(bench.directory), false));
    };
    await closed([request, end('decision'), stop]);
    await closed([request]); // killed, and not started again
    await closed([{ ...request, sidecar: true }, stop]);
    await assert.rejects(closed([request, stop]), /request a has 0 terminal records/);
    await assert.rejects(closed([request, end('decision'), end('ended')]), /request a has 2 terminal records/);
    await assert.rejects(closed([end('ended'), end('ended')]), /request a has 2 terminal records/);
});
