// SPDX-License-Identifier: Apache-2.0
// What people do in their Telegram apps. Each act makes the update that a real bot would get, and returns its number
// (update_id: null if the bot would not see it).
import { anonymousAdmin } from './world.mjs';

const chatInstance = '-7262158219113418341';

// /word or /word@bot at the start, as Telegram marks it.
const commandEntities = (text) => {
    const command = /^\/[A-Za-z0-9_]{1,64}(@\w+)?/.exec(text)?.[0];
    return command ? { entities: [{ type: 'bot_command', offset: 0, length: command.length }] } : {};
};

// As it stands in an update: what the message itself answers is left out.
const withoutReply = ({ reply_to_message: _, ...message }) => message;

// Privacy mode: commands that are not for another bot, mentions of ours, replies to ours.
function botSees(world, known, message) {
    if (known.seesAll) return true;
    if (message.reply_to_message?.from.id === world.bot.id) return true;
    const named = /^\/\w+@(\w+)/.exec(message.text)?.[1];
    if (named) return named.toLowerCase() === world.bot.username.toLowerCase();
    return message.text.startsWith('/') || message.text.includes(`@${world.bot.username}`);
}

export class People {
    constructor(world, updates) {
        Object.assign(this, { world, updates });
    }

    // A tap on a button of the message as it is now (its text, or {row, column}), or with any `data`: a client may
    // send what it likes. inaccessible: the message is too old for Telegram to show it to the bot.
    tap({ user, chat = user, message, button, data, inaccessible = false }) {
        const known = this.world.known(chat);
        const entry = known.messages.get(message);
        if (!entry) throw new Error(`no message ${message} in chat ${chat} to tap`);
        const sent = data ?? this.#buttonData(entry.message, button);
        const id = this.world.openQuery({ user, chat, message, data: sent });
        const gone = inaccessible || entry.deleted;
        const update = this.updates.publish('callback_query', {
            id,
            from: this.world.user(user),
            chat_instance: chatInstance,
            data: sent,
            message: gone ? { chat: known.chat, message_id: message, date: 0 } : entry.message,
        });
        return { update_id: update, callback_query_id: id };
    }

    #buttonData(message, button) {
        const rows = message.reply_markup?.inline_keyboard ?? [];
        const fits =
            typeof button === 'object'
                ? rows[button.row]?.[button.column]
                : rows.flat().find(({ text }) => text === button);
        if (!fits) {
            const there =
                rows
                    .flat()
                    .map(({ text }) => `"${text}"`)
                    .join(', ') || 'none';
            throw new Error(`message ${message.message_id} has no button ${JSON.stringify(button)}; it has: ${there}`);
        }
        return fits.callback_data;
    }

    // A text or command. anonymous: an administrator who writes as the group. ago: written that many seconds ago.
    // automatic: scheduled, or sent while the person is away.
    say({ user, chat = user, text, anonymous = false, automatic = false, replyTo, ago = 0 }) {
        const known = this.world.known(chat);
        const from = anonymous ? { from: anonymousAdmin, sender_chat: known.chat } : { from: this.world.user(user) };
        const answered = replyTo === undefined ? undefined : known.messages.get(replyTo).message;
        const reply = answered === undefined ? {} : { reply_to_message: withoutReply(answered) };
        const { message } = this.world.post(known, from.from, {
            ...from,
            ...reply,
            date: this.world.now() - ago,
            ...(automatic && { is_from_offline: true }),
            text,
            ...commandEntities(text),
        });
        const seen = botSees(this.world, known, message);
        return { message_id: message.message_id, update_id: seen ? this.updates.publish('message', message) : null };
    }

    // Somebody edits a text of theirs: the bot gets an edited_message.
    edit({ chat, message, text }) {
        const known = this.world.known(chat);
        const entry = known.messages.get(message);
        if (!entry) throw new Error(`no message ${message} in chat ${chat} to edit`);
        const changed = this.world.change(entry, { text, entities: undefined, ...commandEntities(text) });
        const seen = botSees(this.world, known, changed);
        return { update_id: seen ? this.updates.publish('edited_message', changed) : null };
    }

    // The group got another id: the bot is told in both chats.
    migrate({ from, to }) {
        const old = this.world.known(from);
        const chat = this.world.migrate(from, to);
        const by = anonymousAdmin;
        const told = this.world.post(old, by, { sender_chat: old.chat, migrate_to_chat_id: to }).message;
        const here = this.world.post(this.world.known(to), by, {
            sender_chat: chat,
            migrate_from_chat_id: from,
        }).message;
        return { update_ids: [this.updates.publish('message', told), this.updates.publish('message', here)] };
    }
}
