// SPDX-License-Identifier: Apache-2.0
// Node 18 can't list a directory recursively if a socket is in it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

// The paths of all regular files below the directory.
export function* filesBelow(directory) {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
        const path = join(directory, entry.name);
        if (entry.isDirectory()) yield* filesBelow(path);
        if (entry.isFile()) yield path;
    }
}
