// SPDX-License-Identifier: Apache-2.0
// The updates that wait for the bot: numbered, kept until confirmed, dropped when Telegram would drop them.
import { EventEmitter } from 'node:events';
import { ApiError } from './api_error.mjs';

const life = { callback_query: 150 };
const lifeOfOthers = 24 * 3600;
const pollSecondsMax = 50;
// Who asks again with the same offset too soon is held, and sooner still gets one update at a time.
const holdMilliseconds = 3000;
const oneByOneMilliseconds = 500;
const notUnlessNamed = ['chat_member', 'message_reaction', 'message_reaction_count'];

const conflict = (why) => new ApiError(409, `Conflict: ${why}`);

// Emits 'update' when there is something to take.
export class Updates extends EventEmitter {
    #queue = [];
    #next = 10_000;
    #poller = null;
    #asked = { offset: null, at: 0 };

    constructor(world, checked) {
        super();
        this.world = world;
        this.checked = checked;
        this.allowed = null;
        this.held = false;
        this.webhookActive = () => false;
        this.all = new Map();
    }

    // Which kinds the bot wants; undefined keeps what was said before, [] is the default.
    allow(kinds) {
        if (kinds !== undefined) this.allowed = kinds.length ? kinds : null;
    }

    // Returns the update_id, or null if the bot did not ask for this kind.
    publish(kind, content) {
        if (this.allowed ? !this.allowed.includes(kind) : notUnlessNamed.includes(kind)) return null;
        const update = { update_id: this.#next++, [kind]: structuredClone(content) };
        this.checked(update);
        this.all.set(update.update_id, update);
        this.#push({ update, kind, expires: this.world.now() + (life[kind] ?? lifeOfOthers) });
        return update.update_id;
    }

    // The same bytes again, as after a lost confirmation or from somebody who recorded them.
    replay(id) {
        const update = this.all.get(id);
        if (!update) throw new Error(`no update ${id} to replay`);
        this.#push({ update, kind: Object.keys(update)[1], expires: Infinity, replayed: true });
    }

    #push(entry) {
        this.#queue.push(entry);
        this.emit('update');
    }

    // While held, updates are made but do not reach the bot: its line is down.
    hold(held) {
        this.held = held;
        this.emit('update');
    }

    pending() {
        this.#queue = this.#queue.filter((entry) => this.world.now() <= entry.expires);
        return this.#queue;
    }

    take(entry) {
        this.#queue = this.#queue.filter((other) => other !== entry);
    }

    drop() {
        this.#queue = [];
    }

    #confirm(offset) {
        const numbered = this.pending().filter((entry) => !entry.replayed);
        const from = offset >= 0 ? offset : (numbered.at(offset)?.update.update_id ?? 0);
        this.#queue = this.#queue.filter((entry) => entry.replayed || entry.update.update_id >= from);
    }

    #batch(limit) {
        const entries = this.held ? [] : this.pending().slice(0, limit);
        entries.filter((entry) => entry.replayed).forEach((entry) => this.take(entry));
        return entries.map((entry) => entry.update);
    }

    // One long poll. A newer one ends it with a conflict; `gone` is a promise that the client hung up.
    async poll({ offset = 0, limit = 100, timeout = 0, allowed_updates: kinds }, gone) {
        if (this.webhookActive()) {
            throw conflict(
                "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
            );
        }
        this.endPoll('terminated by other getUpdates request; make sure that only one bot instance is running');
        this.allow(kinds);
        this.#confirm(offset);
        const again = this.#askedAgainAfter(offset);
        const most = again < oneByOneMilliseconds ? 1 : Math.min(Math.max(limit, 1), 100);
        const held = again < holdMilliseconds ? holdMilliseconds : 0;
        const batch = this.#batch(most);
        const wait = Math.max(Math.min(timeout, pollSecondsMax) * 1000, held);
        if (batch.length || wait <= 0) return batch;
        return this.#wait(most, wait, gone);
    }

    // How long ago the question before was asked, if it had the same offset.
    #askedAgainAfter(offset) {
        const now = performance.now();
        const before = this.#asked;
        this.#asked = { offset, at: now };
        return before.offset === offset ? now - before.at : Infinity;
    }

    #wait(limit, milliseconds, gone) {
        return new Promise((resolve, reject) => {
            const poller = {};
            const end = (settle, value) => {
                clearTimeout(timer);
                this.off('update', look);
                if (this.#poller === poller) this.#poller = null;
                settle(value);
            };
            const look = () => {
                const batch = this.#batch(limit);
                if (batch.length) end(resolve, batch);
            };
            const timer = setTimeout(() => end(resolve, []), milliseconds);
            poller.end = (why) => end(reject, conflict(why));
            this.#poller = poller;
            this.on('update', look);
            gone?.then(() => end(resolve, []));
        });
    }

    polling() {
        return this.#poller !== null;
    }

    endPoll(why) {
        this.#poller?.end(why);
    }
}
