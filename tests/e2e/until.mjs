// SPDX-License-Identifier: Apache-2.0
// Waits until look() gives something (not undefined, null or false) and returns it. Fails after `within` milliseconds
// with what it waited for; `status` may add what there was instead.
export async function until(what, look, { within = 20_000, every = 10, status = () => '' } = {}) {
    const deadline = performance.now() + within;
    for (;;) {
        const found = await look();
        if (found !== undefined && found !== null && found !== false) return found;
        if (performance.now() > deadline) throw new Error(`waited ${within} ms in vain for ${what}\n${status()}`);
        await new Promise((resolve) => {
            setTimeout(resolve, every);
        });
    }
}
