// SPDX-License-Identifier: Apache-2.0
// Interactions: what a person does with a button, a list, a window or a command, and what the app may answer.
//
// An app answers within 3 seconds and once. After that it may edit and add messages for 15 minutes with the token of
// the interaction, without its own credential.
import { randomBytes } from 'node:crypto';
import { checkOwn, problemOf } from '../discord_schema.mjs';
import { keepSecret } from '../secrets.mjs';
import * as refusal from './api_error.mjs';
import { component, flag, problemsOfMessage, problemsOfModal } from './limits.mjs';
import { channelType } from './world.mjs';

export const answerMax = 3000;
const tokenLife = 15 * 60_000;
export const kind = { ping: 1, command: 2, component: 3, modal: 5 };
const response = { pong: 1, reply: 4, deferredReply: 5, deferredUpdate: 6, update: 7, modal: 9 };
const names = { 1: 'Ping', 2: 'Slash', 3: 'Click', 5: 'Submit' };

export class Interactions {
    #byId = new Map();

    constructor(world) {
        this.world = world;
        this.modals = [];
    }

    // age: made so many milliseconds ago.
    create(type, { user, channel, message, data, source, age = 0 }) {
        const { world } = this;
        const id = world.id(age);
        const token = randomBytes(48).toString('base64url');
        keepSecret('the token of an interaction', token);
        const made = world.now() - age;
        const interaction = { id, token, type, user, message, source, made, channel: channel?.id, data, answer: null };
        interaction.payload = this.#payload(interaction, channel);
        checkOwn(names[type], withoutId(interaction.payload));
        this.#byId.set(id, interaction);
        return interaction;
    }

    #payload({ id, token, type, user, message, data }, channel) {
        const { world } = this;
        const base = {
            ...{ id, application_id: world.application, type, token, version: 1, entitlements: [] },
            ...{ authorizing_integration_owners: { 0: world.guild.id }, attachment_size_limit: 10_485_760 },
        };
        if (type === kind.ping) return { ...base, app_permissions: '0', user: world.userObject(world.user(user)) };
        const where = {
            ...{ channel_id: channel.id, channel: world.channelObject(channel), locale: 'en-US' },
            ...{ app_permissions: world.botPermissions(channel) },
            ...(message && { message: world.messageObject(message) }),
        };
        const person = world.user(user);
        if (channel.type === channelType.direct) {
            return { ...base, ...where, data, context: 1, user: world.userObject(person) };
        }
        const { id: guild } = world.guild;
        const about = { guild_id: guild, guild: { id: guild, locale: 'en-US', features: [] }, guild_locale: 'en-US' };
        return { ...base, ...where, ...about, data, context: 0, member: world.memberObject(person) };
    }

    // The first answer, from whichever way; files only by the callback.
    respond(interaction, body, files = []) {
        if (!interaction || this.world.now() - interaction.made > answerMax) throw refusal.unknownInteraction();
        if (interaction.answer) throw refusal.alreadyAcknowledged();
        const wrong = problemOf('Response', body) ?? problemOfType(interaction, body);
        if (wrong) throw refusal.invalidForm([wrong]);
        const { data = {} } = body;
        const shown = this.#apply(interaction, body.type, data, files);
        interaction.answer = body;
        interaction.original = shown;
        interaction.loading = body.type === response.deferredReply;
        interaction.answered?.(body);
        return shown;
    }
    callback({ id, token }, body, files) {
        const interaction = this.#byId.get(id);
        return this.respond(interaction?.token === token ? interaction : null, body, files);
    }

    #apply(interaction, type, data, files) {
        const { world } = this;
        if (type === response.modal) return this.#openModal(interaction, data);
        if (type === response.reply) return this.#post(interaction, data, files, 'data');
        if (type === response.deferredReply) {
            return world.post(
                interaction.channel,
                { flags: (data.flags ?? 0) | flag.loading },
                [],
                mark(interaction, data),
            );
        }
        const { message } = interaction;
        if (type === response.update) {
            check('Followup', data, { files, edited: message }, 'data');
            world.edit(message, data, files);
        }
        return message ?? null;
    }

    #post(interaction, body, files, ...below) {
        check('Followup', body, { files }, ...below);
        checkNotEmpty(body, files);
        return this.world.post(interaction.channel, body, files, mark(interaction, body));
    }

    #openModal(interaction, data) {
        const problems = [...problemsOfModal(data)];
        if (problems.length) throw refusal.invalidForm(problems);
        const { user, channel, message, id } = interaction;
        this.modals.push({ ...structuredClone(data), user, channel, message, interaction: id });
        return null;
    }

    // The interaction of a token that still works.
    forToken({ application, token }) {
        const interaction = [...this.#byId.values()].find((one) => one.token === token);
        if (application !== this.world.application || !interaction) throw refusal.unknownWebhook();
        if (this.world.now() - interaction.made > tokenLife) throw refusal.expiredToken();
        if (!interaction.answer) throw refusal.unknownWebhook();
        return interaction;
    }

    followUp(params, body, files) {
        const interaction = this.forToken(params);
        if (!interaction.loading) return this.#post(interaction, body, files);
        // The first one after a deferred reply takes its place, and is for those whom that one was for.
        const { flags = 0, ...rest } = body;
        this.#edit(interaction, interaction.original, { ...rest, flags: flags & ~flag.ephemeral }, files);
        return interaction.original;
    }

    original({ message: id, ...params }) {
        const interaction = this.forToken(params);
        const mine = (one) => one.interaction === interaction.id || one === interaction.original;
        const found =
            id === '@original' ? interaction.original : this.world.messages.find((one) => one.id === id && mine(one));
        if (!found || found.deleted) throw refusal.unknownMessage();
        return { interaction, message: found };
    }
    editOriginal(params, body, files) {
        const { interaction, message } = this.original(params);
        this.#edit(interaction, message, body, files);
        return message;
    }
    deleteOriginal(params) {
        this.original(params).message.deleted = true;
    }

    #edit(interaction, message, body, files) {
        check('FollowupEdit', body, { files, edited: message });
        this.world.edit(message, body, files);
        if (message === interaction.original) interaction.loading = false;
    }
}

const withoutId = (payload) => {
    // Discord sends the number of the component too, which its types do not have.
    if (payload.type !== kind.component) return payload;
    const { id, ...data } = payload.data;
    return { ...payload, data };
};

const mark = ({ id, user }, { flags = 0 }) => ({
    interaction: id,
    ...(flags & flag.ephemeral && { ephemeral: user }),
});

function problemOfType({ type, message }, { type: answer }) {
    const updates = [response.deferredUpdate, response.update].includes(answer);
    const wrong =
        (answer === response.pong) !== (type === kind.ping) ||
        (updates && !message) ||
        (answer === response.modal && type === kind.modal);
    if (!wrong) return null;
    return { at: ['type'], code: 'STRICT', message: `strict: no response of type ${answer} to this interaction` };
}

// Throws what Discord refuses; `below` is where the body is in what was sent.
export function check(kindOfBody, body, { files, edited }, ...below) {
    const problems = [];
    const wrong = below.length ? null : problemOf(kindOfBody, body);
    if (wrong) problems.push(wrong);
    else problems.push(...problemsOfMessage(kindOfBody, body, { files, edited }));
    if (problems.length) throw refusal.invalidForm(problems.map((one) => ({ ...one, at: [...below, ...one.at] })));
}

export function checkNotEmpty(body, files) {
    const shown = body.content || body.embeds?.length || body.components?.length || body.poll || files.length;
    if (!shown) throw refusal.emptyMessage();
}

// What a person filled in, as Discord sends it: text for inputs, a list of values for selects, by custom id.
export function submission(modal, values) {
    const left = new Map(Object.entries(values));
    const take = (one, id) => {
        const given = left.get(one.custom_id);
        left.delete(one.custom_id);
        const { type, custom_id } = one;
        if (type !== component.textInput) return { type, id, custom_id, values: given ?? [] };
        checkInput(one, given ?? '');
        return { type, id, custom_id, value: given ?? '' };
    };
    let next = 0;
    const components = modal.components.map((one) => {
        const id = ++next;
        if (one.type === component.text) return { type: one.type, id };
        if (one.type === component.label) return { type: one.type, id, component: take(one.component, ++next) };
        return { type: one.type, id, components: one.components.map((input) => take(input, ++next)) };
    });
    if (left.size) throw new Error(`the window has no field "${[...left.keys()]}"`);
    return { custom_id: modal.custom_id, components };
}

// Discord's own client does not let such an input be sent.
function checkInput({ custom_id: id, required = true, min_length: least = 0, max_length: most = 4000 }, value) {
    if (required && !value) throw new Error(`the field "${id}" needs a value`);
    const size = [...value].length;
    if (value && (size < least || size > most))
        throw new Error(`the field "${id}" takes ${least} to ${most} characters`);
}
