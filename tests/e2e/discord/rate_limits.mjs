// SPDX-License-Identifier: Apache-2.0
// How often an app may call: each route in its own bucket for each channel or guild, and 50 calls a second in all.
//
// Who calls an empty bucket gets 429 until it is full again, so an app that repeats too early is refused again. After
// too many refusals Cloudflare stands in the way, and its 429 is not JSON.
import { createHash } from 'node:crypto';
import { ApiError } from './api_error.mjs';

// [calls, seconds]: what Discord is known to give. It may change them at any time: apps read the headers.
const usual = {
    'POST /channels/:channel/messages': [5, 5],
    'PATCH /channels/:channel/messages/:message': [5, 5],
    'DELETE /channels/:channel/messages/:message': [5, 1],
    'POST /webhooks/:application/:token': [5, 2],
    'PATCH /webhooks/:application/:token/messages/:message': [5, 2],
};
const globalLimit = 50;
const invalidMax = 10_000;
const invalidWindow = 600_000;

const nameOf = (route) => createHash('md5').update(route).digest('hex');
const seconds = (ms) => Math.max(0, ms) / 1000;

export class RateLimits {
    #buckets = new Map();
    #second = { at: 0, calls: 0 };
    #globalUntil = 0;
    #cloudflareUntil = 0;
    #invalid = []; // when calls were refused with 401, 403 or 429

    constructor(world) {
        this.world = world;
        this.limits = { ...usual };
    }

    // major: the channel, guild or webhook of the call. outside: not bound by the global limit.
    // The headers of the answer, or it throws the refusal.
    take(route, major, { outside }) {
        const now = this.world.now();
        if (now < this.#cloudflareUntil) throw cloudflare(seconds(this.#cloudflareUntil - now));
        if (!outside) this.#takeGlobal(now);
        const [calls, window] = this.limits[route] ?? [];
        if (!calls) return {};
        const bucket = this.#bucket(route, major, now, { calls, window });
        bucket.left -= 1;
        if (bucket.left < 0) throw this.#refusal(bucket, now);
        return headersOf(bucket, now);
    }

    // From now on this bucket is empty, as if others had used it.
    exhaust(route, major, { retryAfter = 1, scope = 'user' }) {
        const now = this.world.now();
        if (scope === 'global') this.#globalUntil = now + retryAfter * 1000;
        if (scope === 'global') throw limited(retryAfter, { scope });
        const [calls = 1] = this.limits[route] ?? [];
        const bucket = { name: nameOf(route), calls, left: 0, until: now + retryAfter * 1000, scope };
        this.#buckets.set(`${route} ${major}`, bucket);
        throw this.#refusal(bucket, now);
    }

    blockByCloudflare(retryAfter = 60) {
        this.#cloudflareUntil = this.world.now() + retryAfter * 1000;
        throw cloudflare(retryAfter);
    }

    // Refusals are counted, but for those that others caused.
    countInvalid(status, scope) {
        if (![401, 403, 429].includes(status) || scope === 'shared') return;
        const now = this.world.now();
        this.#invalid.push(now);
        while (this.#invalid[0] < now - invalidWindow) this.#invalid.shift();
        if (this.#invalid.length > invalidMax) this.#cloudflareUntil = now + invalidWindow;
    }
    get invalid() {
        return this.#invalid.length;
    }

    #takeGlobal(now) {
        if (now < this.#globalUntil) throw limited(seconds(this.#globalUntil - now), { scope: 'global' });
        if (now - this.#second.at >= 1000) this.#second = { at: now, calls: 0 };
        this.#second.calls += 1;
        if (this.#second.calls > globalLimit) {
            this.#globalUntil = this.#second.at + 1000;
            throw limited(seconds(this.#globalUntil - now), { scope: 'global' });
        }
    }

    #bucket(route, major, now, { calls, window }) {
        const key = `${route} ${major}`;
        const known = this.#buckets.get(key);
        if (known && now < known.until) return known;
        const bucket = { name: nameOf(route), calls, left: calls, until: now + window * 1000, scope: 'user' };
        this.#buckets.set(key, bucket);
        return bucket;
    }

    #refusal(bucket, now) {
        const { scope } = bucket;
        return limited(seconds(bucket.until - now), { scope, headers: headersOf(bucket, now) });
    }
}

const headersOf = ({ name, calls, left, until }, now) => ({
    'x-ratelimit-limit': String(calls),
    'x-ratelimit-remaining': String(Math.max(0, left)),
    'x-ratelimit-reset': (until / 1000).toFixed(3),
    'x-ratelimit-reset-after': seconds(until - now).toFixed(3),
    'x-ratelimit-bucket': name,
});

function limited(retryAfter, { scope, headers = {} }) {
    const isGlobal = scope === 'global';
    const message = scope === 'shared' ? 'The resource is being rate limited.' : 'You are being rate limited.';
    return new ApiError(429, undefined, message, {
        headers: {
            ...headers,
            'retry-after': String(Math.ceil(retryAfter)),
            'x-ratelimit-scope': scope,
            ...(isGlobal && { 'x-ratelimit-global': 'true' }),
        },
        ...{ retry_after: Number(retryAfter.toFixed(3)), global: isGlobal },
    });
}

function cloudflare(retryAfter) {
    const refused = new ApiError(429, undefined, 'Cloudflare', {
        headers: { 'retry-after': String(Math.ceil(retryAfter)) },
    });
    refused.html = '<!doctype html><title>Access denied | discord.com used Cloudflare</title><h1>Error 1015</h1>';
    return refused;
}
