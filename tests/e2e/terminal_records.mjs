// SPDX-License-Identifier: Apache-2.0
// Exactly one terminal record a request, in every log that a case leaves behind (I3).
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow } from './files_below.mjs';

const isEnd = ({ kind }) => kind === 'decision' || kind === 'ended';

// At most one each; exactly one of each request that `mustHaveEnded`. What was asked of an earlier log may end in this.
export function eachEndsOnce(records, mustHaveEnded = () => true) {
    const ends = new Map();
    for (const { requestId } of records.filter(isEnd)) ends.set(requestId, (ends.get(requestId) ?? 0) + 1);
    for (const [id, count] of ends) assert.equal(count, 1, `request ${id} has ${count} terminal records`);
    for (const request of records.filter(({ kind }) => kind === 'request')) {
        const ended = ends.has(request.requestId) || !mustHaveEnded(request);
        assert.ok(ended, `request ${request.requestId} has 0 terminal records`);
    }
}

// The records of a log, as far as its lines are whole: a hub may have been killed in the middle of one.
function recordsIn(directory) {
    const segments = readdirSync(directory).filter((name) => /^seg-\d+\.log$/.test(name));
    const linesOf = (name) => readFileSync(join(directory, name), 'utf8').split('\n').slice(0, -1);
    const lines = segments.sort().flatMap(linesOf);
    const records = [];
    for (const line of lines) {
        try {
            records.push(JSON.parse(line.split('\t', 1)[0]));
        } catch {
            break;
        }
    }
    return records;
}

// Every log below the directory, wherever a case has put it. After a `stop` only an agent of another process may still
// wait for its answer.
export function countLogsBelow(directory) {
    const segments = [...filesBelow(directory)].filter((path) => path.endsWith('seg-000000.log'));
    for (const segment of segments) {
        const records = recordsIn(dirname(segment));
        const stopped = records.at(-1)?.kind === 'stop';
        eachEndsOnce(records, ({ sidecar }) => stopped && !sidecar);
    }
    return segments.length;
}
