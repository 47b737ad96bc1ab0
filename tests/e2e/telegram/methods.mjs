// SPDX-License-Identifier: Apache-2.0
// The Bot API methods on the world. A body that arrives here has passed the rules and the schema; what is refused here
// depends on chats, messages and taps.
import { isDeepStrictEqual } from 'node:util';
import { ApiError, badRequest } from './api_error.mjs';
import { asShown, messageText } from './text.mjs';

const shownText = ({ text, entities, parse_mode: mode }) => {
    const shown = messageText(text, entities, mode);
    return { text: shown.text, entities: shown.entities.length ? shown.entities : undefined };
};
// An empty keyboard is no keyboard.
const keyboard = (markup) => ({ reply_markup: markup?.inline_keyboard?.flat().length ? markup : undefined });
const present = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function place(
    world,
    known,
    { message_thread_id: thread, reply_parameters: reply, ephemeral_message_parameters: ephemeral },
) {
    if (ephemeral) throw badRequest('strict: ephemeral messages are not simulated');
    if (thread !== undefined && !known.chat.is_forum) throw badRequest('message thread not found');
    const inThread = thread === undefined ? {} : { message_thread_id: thread, is_topic_message: true };
    if (!reply) return inThread;
    const entry = known.messages.get(reply.message_id);
    if (entry && !entry.deleted) return { ...inThread, reply_to_message: withoutReply(entry.message) };
    if (!reply.allow_sending_without_reply) throw badRequest('message to be replied not found');
    return inThread;
}

const withoutReply = ({ reply_to_message, ...message }) => message;

function change(world, entry, fields) {
    // Only a message without a markup, or with an inline keyboard, can be edited.
    if (entry.message.from.id !== world.bot.id || entry.forcesReply) throw badRequest("message can't be edited");
    const same = Object.entries(fields).every(([name, value]) => isDeepStrictEqual(entry.message[name], value));
    if (same) {
        throw badRequest(
            'message is not modified: specified new message content and reply markup are exactly the same ' +
                'as a current content and reply markup of the message',
        );
    }
    return world.change(entry, fields);
}

export const methods = {
    getMe: ({ world }) => ({
        ...world.bot,
        can_join_groups: true,
        can_read_all_group_messages: false,
        supports_inline_queries: false,
        can_connect_to_business: false,
        has_main_web_app: false,
        has_topics_enabled: false,
        allows_users_to_create_topics: false,
        can_manage_bots: false,
        supports_guest_queries: false,
        supports_join_request_queries: false,
    }),

    sendMessage({ world }, body) {
        const known = world.chatFor(body.chat_id);
        const fields = { ...place(world, known, body), ...shownText(body), ...keyboard(body.reply_markup) };
        const entry = world.post(known, world.bot, present(fields));
        entry.forcesReply = body.reply_markup?.force_reply === true;
        return entry.message;
    },

    editMessageText({ world }, body) {
        const entry = world.find(world.chatFor(body.chat_id), body.message_id, 'message to edit');
        if (entry.message.text === undefined) throw badRequest('there is no text in the message to edit');
        return change(world, entry, { ...shownText(body), ...keyboard(body.reply_markup) });
    },

    editMessageReplyMarkup({ world }, body) {
        const entry = world.find(world.chatFor(body.chat_id), body.message_id, 'message to edit');
        return change(world, entry, keyboard(body.reply_markup));
    },

    sendDocument({ world }, body, files) {
        const known = world.chatFor(body.chat_id);
        const name = String(body.document).replace(/^attach:\/\//, '');
        const file = files?.[name];
        if (!file) throw badRequest('wrong remote file identifier specified: only uploaded files are simulated');
        if (file.content.length === 0) throw badRequest('file must be non-empty');
        const id = `file-${known.chat.id}-${known.lastMessage + 1}`;
        const document = {
            file_id: id,
            file_unique_id: id,
            file_name: file.name,
            mime_type: file.type,
            file_size: file.content.length,
        };
        const caption = body.caption && asShown(body.caption, body.caption_entities);
        const entry = world.post(
            known,
            world.bot,
            present({
                ...place(world, known, body),
                document,
                caption: caption?.text || undefined,
                caption_entities: caption?.entities.length ? caption.entities : undefined,
                ...keyboard(body.reply_markup),
            }),
        );
        entry.file = file.content;
        return entry.message;
    },

    deleteMessage({ world }, body) {
        world.find(world.chatFor(body.chat_id), body.message_id, 'message to delete').deleted = true;
        return true;
    },

    answerCallbackQuery({ world }, { callback_query_id: id, text = '', show_alert: alert = false }) {
        world.answerQuery(id, { text, alert });
        return true;
    },

    getChat: ({ world }, body) => ({
        ...world.chatFor(body.chat_id).chat,
        accent_color_id: 0,
        max_reaction_count: 11,
        accepted_gift_types: {
            unlimited_gifts: false,
            limited_gifts: false,
            unique_gifts: false,
            premium_subscription: false,
            gifts_from_channels: false,
        },
    }),

    setMyCommands: () => true,

    getUpdates: ({ updates, gone }, body) => updates.poll(body, gone),

    setWebhook({ updates, webhook }, body) {
        if (body.url && !/^https:\/\/|^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(body.url)) {
            throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
        }
        updates.allow(body.allowed_updates);
        if (body.drop_pending_updates) updates.drop();
        webhook.set(body);
        return true;
    },

    deleteWebhook({ updates, webhook }, body) {
        if (body.drop_pending_updates) updates.drop();
        webhook.set({ url: '' });
        return true;
    },

    getWebhookInfo: ({ updates, webhook }) => ({
        ...webhook.info(),
        pending_update_count: updates.pending().length,
        ...(updates.allowed && { allowed_updates: updates.allowed }),
    }),
};

export const unauthorized = () => new ApiError(401, 'Unauthorized');
export const unknownMethod = () => new ApiError(404, 'Not Found: method not found');
