// SPDX-License-Identifier: Apache-2.0
// Everything Telegram remembers: people, chats, messages and the taps that wait for an answer, on a clock of its own.
import { ApiError, badRequest } from './api_error.mjs';

// A tap can be answered for about a quarter of an hour, and once.
const queryLife = 15 * 60;

export const anonymousAdmin = { id: 1087968824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' };

export class World {
    // frozen: time passes only by hand, so that a test can stand exactly on a limit.
    constructor(bot, { frozen = false } = {}) {
        this.bot = bot;
        this.frozenAt = frozen ? Date.now() : null;
        this.users = new Map();
        this.chats = new Map();
        this.queries = new Map();
        this.shift = 0;
        this.lastQuery = 4_000_000_000;
    }

    now() {
        return Math.floor((this.frozenAt ?? Date.now()) / 1000) + this.shift;
    }

    // Somebody with a private chat with the bot; started: false has never talked to it.
    addUser({ started = true, ...fields }) {
        const user = { is_bot: false, first_name: `User ${fields.id}`, ...fields };
        this.users.set(user.id, user);
        const { first_name, username } = user;
        if (started) this.#open({ id: user.id, type: 'private', first_name, ...(username && { username }) });
        return user;
    }

    // seesAll: privacy mode is off, or the bot is an administrator; else it sees commands, mentions and replies to it.
    addChat({ id, type = 'supergroup', title = `Chat ${id}`, seesAll = false, forum = false }) {
        return this.#open({ id, type, title, ...(forum && { is_forum: true }) }, seesAll).chat;
    }

    #open(chat, seesAll = true) {
        const known = { chat, seesAll, messages: new Map(), lastMessage: 40, forbidden: null, migratedTo: null };
        this.chats.set(chat.id, known);
        return known;
    }

    user(id) {
        const user = this.users.get(id);
        if (!user) throw new Error(`no user ${id}: add it first`);
        return user;
    }

    known(id) {
        const known = this.chats.get(id);
        if (!known) throw new Error(`no chat ${id}: add it first`);
        return known;
    }

    block(id) {
        const { type } = this.known(id).chat;
        this.known(id).forbidden =
            type === 'private' ? 'bot was blocked by the user' : `bot was kicked from the ${type} chat`;
    }

    unblock(id) {
        this.known(id).forbidden = null;
    }

    // A group becomes a supergroup: same people, another id, and no messages of before.
    migrate(from, to) {
        const old = this.known(from);
        old.migratedTo = to;
        return this.addChat({ id: to, type: 'supergroup', title: old.chat.title, seesAll: old.seesAll });
    }

    // The chat that a bot names, or the refusal that Telegram has for it.
    chatFor(id) {
        if (id === undefined || id === '') throw badRequest('chat_id is empty');
        const known = this.chats.get(Number(id));
        if (!known) throw badRequest('chat not found');
        if (known.migratedTo !== null) {
            throw badRequest('group chat was upgraded to a supergroup chat', { migrate_to_chat_id: known.migratedTo });
        }
        if (known.forbidden) throw new ApiError(403, `Forbidden: ${known.forbidden}`);
        return known;
    }

    post(known, from, fields) {
        const message = { message_id: ++known.lastMessage, from, chat: known.chat, date: this.now(), ...fields };
        const entry = { message, deleted: false, history: [structuredClone(message)] };
        known.messages.set(message.message_id, entry);
        return entry;
    }

    find(known, id, what) {
        const entry = known.messages.get(Number(id));
        if (!entry || entry.deleted) throw badRequest(`${what} not found`);
        return entry;
    }

    change(entry, fields) {
        const message = { ...entry.message, ...fields, edit_date: this.now() };
        for (const name of Object.keys(message)) if (message[name] === undefined) delete message[name];
        entry.message = message;
        entry.history.push(structuredClone(message));
        return message;
    }

    openQuery(fields) {
        const id = String(++this.lastQuery);
        this.queries.set(id, { id, ...fields, made: this.now(), answer: null });
        return id;
    }

    answerQuery(id, answer) {
        const query = this.queries.get(String(id));
        if (!query || query.answer || this.now() - query.made > queryLife) {
            throw badRequest('query is too old and response timeout expired or query ID is invalid');
        }
        query.answer = answer;
    }
}
