// SPDX-License-Identifier: Apache-2.0
// What people do: press, choose, submit, type a command or a message. What Discord's own client would not let them do
// throws.
import { kind, submission } from './interactions.mjs';
import { component } from './limits.mjs';
import { buttons, controls } from './world.mjs';

export class People {
    // deliver(type, act, options) takes an interaction to the app.
    constructor(world, gateway, { deliver }) {
        Object.assign(this, { world, gateway, deliver });
    }

    press({ user, message, label, ...how }) {
        const button = buttons(message).find((one) => one.label === label);
        if (!button) throw new Error(`the message has no button "${label}": ${buttons(message).map((b) => b.label)}`);
        const { id, custom_id } = button;
        return this.#click({ user, message, data: { id, custom_id, component_type: component.button } }, how);
    }

    choose({ user, message, labels, ...how }) {
        const lists = controls(message).filter(({ type }) => type === component.stringSelect);
        const valuesIn = ({ options }) => labels.map((label) => options.find((one) => one.label === label)?.value);
        const list = lists.find((one) => valuesIn(one).every((value) => value !== undefined));
        if (!list) throw new Error(`the message has no list with "${labels}"`);
        const { id, custom_id, type, min_values: least = 1, max_values: most = 1 } = list;
        if (labels.length < least || labels.length > most) throw new Error(`the list takes ${least} to ${most}`);
        const data = { id, custom_id, component_type: type, values: valuesIn(list) };
        return this.#click({ user, message, data }, how);
    }

    #click({ user, message, data }, how) {
        if (message.ephemeral && message.ephemeral !== user) throw new Error('only its reader sees this message');
        if (message.deleted) throw new Error('the message is gone');
        const channel = this.world.channel(message.channel);
        return this.deliver(kind.component, { user, channel, message, data }, how);
    }

    submit({ user, modal, values = {}, ...how }) {
        const { channel, message } = modal;
        const data = submission(modal, values);
        const act = { user: user ?? modal.user, channel: this.world.channel(channel), message, data };
        return this.deliver(kind.modal, act, how);
    }

    slash({ user, channel, command, options = {}, ...how }) {
        const [name, ...path] = command.split(' ');
        const { guild, commands } = this.world;
        const known = [guild.id, 'everywhere'].flatMap((where) => commands.get(where) ?? []);
        const found = known.find((one) => one.name === name);
        if (!found) throw new Error(`no command /${name}: ${known.map((one) => one.name)}`);
        const { id, guild_id } = found;
        const data = { id, name, type: 1, ...optionsOf(found, path, options), ...(guild_id && { guild_id }) };
        return this.deliver(kind.command, { user, channel: this.world.channel(channel), data }, how);
    }

    async say({ user, channel, text, reply, mention = false }) {
        const content = mention ? `<@${this.world.bot.id}> ${text}` : text;
        const { id: author } = this.world.user(user);
        const body = { content, ...(reply && { message_reference: { message_id: reply } }) };
        const message = this.world.post(channel, body, [], { author });
        return { message, delivered: this.gateway.announce(message, { mention }) };
    }
}

// The options of a command as Discord sends them: those of a command within it are one level deeper.
function optionsOf(command, path, given) {
    const declared = command.options ?? [];
    if (path.length) {
        const [name, ...rest] = path;
        const inner = declared.find((one) => one.name === name && [1, 2].includes(one.type));
        if (!inner) throw new Error(`/${command.name} has no command "${name}"`);
        return { options: [{ name, type: inner.type, ...optionsOf(inner, rest, given) }] };
    }
    if (declared.some(({ type }) => type <= 2)) throw new Error(`/${command.name} needs a command within it`);
    const missing = declared.find(({ name, required }) => required && given[name] === undefined);
    if (missing) throw new Error(`/${command.name} needs "${missing.name}"`);
    const options = Object.entries(given).map(([name, value]) => {
        const option = declared.find((one) => one.name === name);
        if (!option) throw new Error(`/${command.name} has no option "${name}"`);
        if (option.choices?.every((choice) => choice.value !== value)) throw new Error(`no choice "${value}"`);
        return { name, type: option.type, value };
    });
    return options.length ? { options } : {};
}
