// SPDX-License-Identifier: Apache-2.0
// Failures on order: each is for one method, or for all with '*', and for a number of calls.
export class Failures {
    #ordered = [];

    order({ method = '*', times = 1, ...failure }) {
        this.#ordered.push({ method, left: times, ...failure });
    }

    clear() {
        this.#ordered = [];
    }

    // The failure that this call gets, or null.
    take(method) {
        const failure = this.#ordered.find((one) => one.left > 0 && ['*', method].includes(one.method));
        if (failure) failure.left--;
        return failure ?? null;
    }
}
