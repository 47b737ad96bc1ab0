// SPDX-License-Identifier: Apache-2.0
// Everything Discord remembers: the application, people, a guild with channels, threads, direct messages and messages,
// on a clock that a test can move.
import { allComponents, component, flag } from './limits.mjs';
import * as refusal from './api_error.mjs';

const epoch = 1_420_070_400_000n; // of Discord's ids, in Unix milliseconds
// Another message with the nonce of an earlier one is that one, "for a few minutes".
const nonceLife = 5 * 60_000;
const oldMessage = 3_600_000;

const permissions = {
    VIEW_CHANNEL: 1n << 10n,
    SEND_MESSAGES: 1n << 11n,
    EMBED_LINKS: 1n << 14n,
    ATTACH_FILES: 1n << 15n,
    READ_MESSAGE_HISTORY: 1n << 16n,
    CREATE_PUBLIC_THREADS: 1n << 35n,
    SEND_MESSAGES_IN_THREADS: 1n << 38n,
};
export const channelType = { text: 0, direct: 1, voice: 2, thread: 11 };

export const timeOf = (id) => Number((BigInt(id) >> 22n) + epoch);
const bits = (names) => names.reduce((sum, name) => sum | permissions[name], 0n);

export class World {
    #count = 0;
    #nonces = new Map();

    constructor({ guild, channels, application, bot }) {
        this.shift = 0;
        this.application = application;
        this.bot = { id: bot, username: 'countersign', bot: true };
        this.users = new Map([[bot, this.bot]]);
        this.owner = this.addUser({ id: '53908232506183000', username: 'mason' });
        this.guild = { id: guild, name: 'Acme' };
        this.joined = true; // the bot was added to the guild
        this.scopes = new Set(['bot', 'applications.commands']); // with these
        this.channels = new Map();
        this.messages = [];
        this.commands = new Map(); // by guild id, or 'everywhere'
        this.editsOfOld = Infinity; // how many edits of messages that are older than an hour are left
        for (const { denied = [], ...channel } of channels.map((one) => (one.id ? one : { id: one }))) {
            this.#addChannel({ type: channelType.text, name: 'ops', guild, ...channel });
            this.deny(channel.id, ...denied);
        }
    }

    now() {
        return Date.now() + this.shift;
    }

    // An id that was made `ago` milliseconds ago, and never the same one twice.
    id(ago = 0) {
        const since = BigInt(Math.floor(this.now() - ago)) - epoch;
        return String((since << 22n) | BigInt(++this.#count % (1 << 22)));
    }

    #addChannel({ id, type, guild, ...more }) {
        const channel = { id, type, guild, denied: new Set(), archived: false, ...more };
        this.channels.set(id, channel);
        return channel;
    }

    // direct: false does not take messages from the bot. roles: of the guild.
    addUser({ id, username = `user${id}`, roles = [], direct = true }) {
        const user = { id, username, roles, direct };
        this.users.set(id, user);
        return user;
    }

    user(id) {
        return this.users.get(id) ?? this.addUser({ id });
    }

    deny(channel, ...names) {
        for (const name of names) {
            if (!permissions[name]) throw new Error(`no permission "${name}"; there are: ${Object.keys(permissions)}`);
            this.channel(channel).denied.add(name);
        }
    }

    allow(channel, ...names) {
        for (const name of names) this.channel(channel).denied.delete(name);
    }

    // What a test names must exist.
    channel(id) {
        const found = this.channels.get(id);
        if (!found) throw new Error(`no channel ${id}`);
        return found;
    }

    // The channel that an app names, or the refusal that Discord has for it.
    channelFor(id, ...needs) {
        const channel = this.channels.get(id);
        if (!channel) throw refusal.unknownChannel();
        const { denied } = channel.type === channelType.thread ? this.channel(channel.parent) : channel;
        if (denied.has('VIEW_CHANNEL')) throw refusal.missingAccess();
        if (needs.some((name) => denied.has(name))) throw refusal.missingPermissions();
        return channel;
    }

    directChannel(recipient) {
        const user = this.users.get(recipient);
        if (!user || user.bot) throw refusal.invalidRecipient();
        const known = [...this.channels.values()].find(({ type, recipient: r }) => r === recipient && type === 1);
        return known ?? this.#addChannel({ id: this.id(), type: channelType.direct, recipient });
    }

    startThread(message, { name, auto_archive_duration: archive = 1440 }) {
        if (this.channels.has(message.id)) throw refusal.threadExists();
        const { guild } = this.channel(message.channel);
        const thread = { id: message.id, type: channelType.thread, guild, name, parent: message.channel, archive };
        message.thread = message.id;
        return this.#addChannel(thread);
    }

    // The message that an app names: ephemeral ones exist only for their own interaction.
    messageFor(channel, id) {
        const found = this.messages.find((m) => m.channel === channel && m.id === id && !m.deleted && !m.ephemeral);
        if (!found) throw refusal.unknownMessage();
        return found;
    }

    twin({ author, nonce, enforce_nonce: enforced }) {
        const known = enforced && this.#nonces.get(`${author} ${nonce}`);
        return known && this.now() - timeOf(known.id) < nonceLife && !known.deleted ? known : null;
    }

    // body: as an app sends it. more: {ephemeral: user, interaction, loading}.
    post(channel, body, files, { author = this.bot.id, ...more } = {}) {
        const message = {
            id: this.id(),
            channel,
            author,
            ...{ content: body.content ?? '', embeds: body.embeds ?? [], components: numbered(body.components ?? []) },
            ...{ flags: body.flags ?? 0, files: this.#stored(files, body.attachments), history: [] },
            ...(body.nonce !== undefined && { nonce: body.nonce }),
            ...(body.message_reference?.message_id && { reply_to: body.message_reference.message_id }),
            ...more,
        };
        if (body.enforce_nonce) this.#nonces.set(`${author} ${body.nonce}`, message);
        this.messages.push(message);
        return message;
    }

    // Fields that are not named stay as they are.
    edit(message, body, files = []) {
        const { content, embeds, components, flags, files: had } = message;
        message.history.push({ content, embeds, components, flags, files: had });
        if (body.content !== undefined) message.content = body.content ?? '';
        if (body.embeds !== undefined) message.embeds = body.embeds ?? [];
        if (body.components !== undefined) message.components = numbered(body.components ?? []);
        if (body.flags) message.flags |= body.flags;
        message.flags &= ~flag.loading;
        const kept = body.attachments?.map(({ id }) => String(id));
        const stay = kept ? had.filter(({ id }) => kept.includes(id)) : had;
        message.files = [...stay, ...this.#stored(files, body.attachments)];
        message.edited = this.now();
    }

    countEdit(message) {
        if (this.now() - timeOf(message.id) < oldMessage) return;
        if (this.editsOfOld <= 0) throw oldEditRefused();
        this.editsOfOld -= 1;
    }

    #stored(files, attachments = []) {
        return files.map(({ index, name, type, content }) => {
            const about = attachments.find(({ id }) => Number(id) === index);
            return { id: this.id(), name: about?.filename ?? name, type, content: content.toString('utf8') };
        });
    }

    // As Discord shows them to an app.
    userObject({ id, username, bot }) {
        const more = bot ? { bot: true } : {};
        return { id, username, global_name: username, discriminator: '0', avatar: null, ...more };
    }
    memberObject({ id }) {
        const user = this.user(id);
        const none = { nick: null, avatar: null, deaf: false, mute: false, flags: 0 };
        const joined = '2024-03-13T19:19:14.040000+00:00';
        const allowed = String(bits(Object.keys(permissions)));
        const { roles = [] } = user;
        return { user: this.userObject(user), roles, joined_at: joined, permissions: allowed, ...none };
    }
    botPermissions(channel) {
        const { denied } = channel;
        return String(bits(Object.keys(permissions).filter((name) => !denied.has(name))));
    }
    channelObject(channel) {
        const { id, type, guild, name, parent, recipient, denied, archive, archived } = channel;
        const last = this.messages.findLast((m) => m.channel === id)?.id ?? null;
        if (type === channelType.direct) {
            return { id, type, last_message_id: last, recipients: [this.userObject(this.user(recipient))] };
        }
        const base = { id, type, guild_id: guild, name, last_message_id: last, rate_limit_per_user: 0, flags: 0 };
        if (type === channelType.thread) {
            const at = new Date(timeOf(id)).toISOString();
            const metadata = { archived, auto_archive_duration: archive, archive_timestamp: at, locked: false };
            const counts = { message_count: 0, member_count: 1, total_message_sent: 0 };
            return { ...base, parent_id: parent, owner_id: this.bot.id, thread_metadata: metadata, ...counts };
        }
        const overwrite = { id: this.bot.id, type: 1, allow: '0', deny: String(bits([...denied])) };
        const overwrites = denied.size ? [overwrite] : [];
        return { ...base, position: 0, parent_id: null, nsfw: false, permission_overwrites: overwrites };
    }
    guildObject() {
        const { id, name } = this.guild;
        return { id, name, owner_id: '1', roles: this.roleObjects(), preferred_locale: 'en-US', features: [] };
    }
    // As a member sees it in the list of its own.
    ownGuildObject() {
        const { id, name } = this.guild;
        const permission = String(bits(Object.keys(permissions)));
        return { id, name, icon: null, banner: null, owner: false, features: [], permissions: permission };
    }
    channelsOfGuild() {
        const listed = [...this.channels.values()].filter(({ guild, type }) => guild && type !== channelType.thread);
        return listed.map((one) => this.channelObject(one));
    }
    roleObjects() {
        const { id } = this.guild;
        const permission = String(bits(Object.keys(permissions)));
        const look = { color: 0, colors: { primary_color: 0, secondary_color: null, tertiary_color: null } };
        const rest = { hoist: false, position: 0, managed: false, mentionable: false, flags: 0 };
        return [{ id, name: '@everyone', permissions: permission, ...look, ...rest }];
    }
    messageObject(message) {
        const { id, channel, content, embeds, components, flags, files, nonce, edited, reply_to: replied } = message;
        const { application } = this;
        const reference = { type: 0, message_id: replied, channel_id: channel };
        return {
            ...{ id, channel_id: channel, author: this.userObject(this.user(message.author)), content, embeds },
            ...{ timestamp: new Date(timeOf(id)).toISOString() },
            ...{ edited_timestamp: edited ? new Date(edited).toISOString() : null, components, flags },
            ...{ tts: false, mention_everyone: false, mentions: [], mention_roles: [], pinned: false },
            ...{ type: replied ? 19 : 0, attachments: files.map(attachmentObject) },
            ...(nonce !== undefined && { nonce }),
            ...(replied && { message_reference: reference }),
            ...(message.interaction && { webhook_id: application, application_id: application }),
            ...(message.thread && { thread: this.channelObject(this.channel(message.thread)) }),
        };
    }
}

const attachmentObject = ({ id, name, type, content }) => ({
    ...{ id, filename: name, size: Buffer.byteLength(content), content_type: type },
    ...{ url: `https://cdn.discordapp.com/${id}/${name}`, proxy_url: `https://media.discordapp.net/${id}/${name}` },
});

const oldEditRefused = () =>
    new refusal.ApiError(429, 30046, 'Maximum number of edits to messages older than 1 hour reached. Try again later', {
        headers: { 'retry-after': '60', 'x-ratelimit-scope': 'shared' },
        ...{ retry_after: 60, global: false },
    });

// Discord numbers the components that have no id.
function numbered(components) {
    const copy = structuredClone(components);
    let next = 0;
    for (const { component: one } of allComponents(copy)) one.id ??= ++next;
    return copy;
}

// The components of a message that a person can act on.
export const controls = (message) =>
    [...allComponents(message.components)].map(({ component: one }) => one).filter((one) => !one.disabled);
export const buttons = (message) =>
    controls(message).filter(({ type, custom_id: id }) => type === component.button && id !== undefined);
