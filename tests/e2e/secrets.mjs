// SPDX-License-Identifier: Apache-2.0
// No secret is in what the program prints or records. Simulators name theirs when they start, and each bench looks for
// all of them in what it leaves behind.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { filesBelow } from './files_below.mjs';

const known = new Map(); // text, name

export function keepSecret(name, text) {
    known.set(text, name);
}

function looksFor(where, text) {
    for (const [secret, name] of known) assert.ok(!text.includes(secret), `${where} has ${name}`);
}

// programs: what they printed; directory: every log, index and memory of a hub below it.
export function noSecretIn(programs, directory) {
    for (const { name, out, err } of programs) looksFor(`what ${name} printed`, [...out, ...err].join('\n'));
    for (const path of filesBelow(directory)) {
        const isOfHub = /(^|\/)(audit|channels)\//.test(path.slice(directory.length));
        if (isOfHub) looksFor(path, readFileSync(path, 'latin1'));
    }
}
