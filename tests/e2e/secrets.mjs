// SPDX-License-Identifier: Apache-2.0
// No secret is in what the program prints or records. Simulators name theirs when they start, and each bench looks for
// all of them in what it leaves behind.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

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
    const names = readdirSync(directory, { recursive: true });
    for (const name of names.filter((one) => /(^|\/)(audit|channels)\//.test(one))) {
        const path = join(directory, name);
        if (statSync(path).isFile()) looksFor(path, readFileSync(path, 'latin1'));
    }
}
