// SPDX-License-Identifier: Apache-2.0
// The bounds that Discord's documents name for messages, windows and commands, in the words of its API.
//
// Each function yields {at, code, message}: the path of the field, and what Discord says about it. The bodies fit
// Discord's types already. Lengths are in code points, as Discord's own server counts.
import { lengthOf, repeated } from '../schema_of_types.mjs';

export const flag = {
    suppressEmbeds: 1 << 2,
    ephemeral: 1 << 6,
    loading: 1 << 7,
    suppressNotifications: 1 << 12,
    componentsV2: 1 << 15,
};
export const component = {
    row: 1,
    button: 2,
    stringSelect: 3,
    textInput: 4,
    section: 9,
    text: 10,
    thumbnail: 11,
    gallery: 12,
    file: 13,
    separator: 14,
    container: 17,
    label: 18,
};
const selects = [3, 5, 6, 7, 8];
const customIdMax = 100;

const strict = (at, words) => ({ at, code: 'STRICT', message: `strict: ${words}` });

function* length(at, text, least, most) {
    if (text === undefined || text === null) return;
    const size = Array.isArray(text) ? text.length : lengthOf(text);
    if (size >= least && size <= most) return;
    yield least > 0
        ? { at, code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between ${least} and ${most} in length.` }
        : { at, code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${most} or fewer in length.` };
}

function* range(at, value, least, most) {
    if (value === undefined || value === null) return;
    if (value < least) {
        yield { at, code: 'NUMBER_TYPE_MIN', message: `int value should be greater than or equal to ${least}.` };
    }
    if (value > most) {
        yield { at, code: 'NUMBER_TYPE_MAX', message: `int value should be less than or equal to ${most}.` };
    }
}

// Every component below a list, with its path: {component, at}.
export function* allComponents(list, at = ['components']) {
    for (const [i, one] of (list ?? []).entries()) {
        yield { component: one, at: [...at, i] };
        if (one.components) yield* allComponents(one.components, [...at, i, 'components']);
        for (const name of ['accessory', 'component']) {
            if (!one[name]) continue;
            yield { component: one[name], at: [...at, i, name] };
        }
    }
}

function* problemsOfButton(button, at) {
    yield* length([...at, 'label'], button.label, 0, 80);
    yield* length([...at, 'custom_id'], button.custom_id, 1, customIdMax);
    yield* length([...at, 'url'], button.url, 1, 512);
    if (!button.label && !button.emoji && !button.sku_id) yield strict(at, 'a button without a label');
}

function* problemsOfSelect(select, at) {
    yield* length([...at, 'custom_id'], select.custom_id, 1, customIdMax);
    yield* length([...at, 'placeholder'], select.placeholder, 0, 150);
    yield* range([...at, 'min_values'], select.min_values, 0, 25);
    yield* range([...at, 'max_values'], select.max_values, 1, 25);
    if ((select.min_values ?? 1) > (select.max_values ?? 1)) yield strict(at, 'min_values above max_values');
    if (select.type !== component.stringSelect) return;
    yield* length([...at, 'options'], select.options, 1, 25);
    if ((select.max_values ?? 1) > select.options.length) yield strict(at, 'max_values above the number of options');
    for (const [i, option] of select.options.entries()) {
        yield* length([...at, 'options', i, 'label'], option.label, 1, 100);
        yield* length([...at, 'options', i, 'value'], option.value, 1, 100);
        yield* length([...at, 'options', i, 'description'], option.description, 0, 100);
    }
    const again = repeated(select.options.map(({ value }) => value));
    if (again !== undefined) {
        const last = select.options.map(({ value }) => value).lastIndexOf(again);
        const code = 'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED';
        yield { at: [...at, 'options', last, 'value'], code, message: 'The specified option value is already used' };
    }
}

function* problemsOfRow(row, at) {
    yield* length([...at, 'components'], row.components, 1, 5);
    if (row.components.length > 1 && row.components.some(({ type }) => type !== component.button)) {
        const code = 'COMPONENT_LAYOUT_WIDTH_EXCEEDED';
        yield { at: [...at, 'components'], code, message: 'The specified component exceeds the maximum width' };
    }
}

function* problemsOfTextInput(input, at) {
    yield* length([...at, 'custom_id'], input.custom_id, 1, customIdMax);
    yield* length([...at, 'label'], input.label, 1, 45);
    yield* length([...at, 'placeholder'], input.placeholder, 0, 100);
    yield* length([...at, 'value'], input.value, 0, 4000);
    yield* range([...at, 'min_length'], input.min_length, 0, 4000);
    yield* range([...at, 'max_length'], input.max_length, 1, 4000);
    if ((input.min_length ?? 0) > (input.max_length ?? 4000)) yield strict(at, 'min_length above max_length');
}

function* problemsOfMedia(media, at, files) {
    const [, name] = /^attachment:\/\/(.*)$/.exec(media.url) ?? [];
    if (name !== undefined && !files.includes(name)) {
        const code = 'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND';
        yield { at: [...at, 'url'], code, message: `The attachment "${name}" was not found` };
    }
}

function* problemsOfComponent(one, at, files) {
    if (one.type === component.row) yield* problemsOfRow(one, at);
    if (one.type === component.button) yield* problemsOfButton(one, at);
    if (selects.includes(one.type)) yield* problemsOfSelect(one, at);
    if (one.type === component.textInput) yield* problemsOfTextInput(one, at);
    if (one.type === component.text) yield* length([...at, 'content'], one.content, 1, 4000);
    if (one.type === component.section) yield* length([...at, 'components'], one.components, 1, 3);
    if (one.type === component.container) yield* length([...at, 'components'], one.components, 1, 40);
    if (one.type === component.gallery) yield* length([...at, 'items'], one.items, 1, 10);
    if (one.type === component.file) yield* problemsOfMedia(one.file, [...at, 'file'], files);
    if (one.type === component.label) {
        yield* length([...at, 'label'], one.label, 1, 45);
        yield* length([...at, 'description'], one.description, 0, 100);
    }
}

function* problemsOfNames(all) {
    const seen = new Set();
    for (const { component: one, at } of all) {
        if (one.custom_id !== undefined && seen.has(one.custom_id)) {
            const code = 'COMPONENT_CUSTOM_ID_DUPLICATED';
            yield { at: [...at, 'custom_id'], code, message: 'Component custom id cannot be duplicated' };
        }
        seen.add(one.custom_id);
    }
    if (repeated(all.map(({ component: one }) => one.id)) !== undefined)
        yield strict([], 'the id of a component twice');
}

function* problemsOfLayout(list, isV2) {
    if (!isV2) {
        yield* length(['components'], list, 0, 5);
        for (const [i, one] of list.entries()) {
            if (one.type === component.row) continue;
            const message = 'Value of field "type" must be one of (1,).';
            yield { at: ['components', i, 'type'], code: 'UNION_TYPE_CHOICES', message };
        }
        return;
    }
    const all = [...allComponents(list)];
    if (all.length > 40) {
        const message = 'The message has more than 40 components';
        yield { at: ['components'], code: 'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED', message };
    }
    const texts = all.filter(({ component: one }) => one.type === component.text);
    if (texts.reduce((sum, { component: one }) => sum + lengthOf(one.content), 0) > 4000) {
        const message = 'The displayable text of all components exceeds 4000 characters';
        yield { at: ['components'], code: 'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED', message };
    }
}

function* problemsOfComponents(list, isV2, files) {
    yield* problemsOfLayout(list, isV2);
    const all = [...allComponents(list)];
    for (const { component: one, at } of all) yield* problemsOfComponent(one, at, files);
    yield* problemsOfNames(all);
}

const embedTexts = { title: 256, description: 4096 };
const textsOf = (embed) => [
    embed.title,
    embed.description,
    embed.footer?.text,
    embed.author?.name,
    ...(embed.fields ?? []).flatMap(({ name, value }) => [name, value]),
];

function* problemsOfEmbeds(embeds) {
    yield* length(['embeds'], embeds, 0, 10);
    for (const [i, embed] of embeds.entries()) {
        const at = ['embeds', i];
        for (const [name, most] of Object.entries(embedTexts)) yield* length([...at, name], embed[name], 0, most);
        yield* length([...at, 'footer', 'text'], embed.footer?.text, 1, 2048);
        yield* length([...at, 'author', 'name'], embed.author?.name, 1, 256);
        yield* length([...at, 'fields'], embed.fields, 0, 25);
        for (const [k, { name, value }] of (embed.fields ?? []).entries()) {
            yield* length([...at, 'fields', k, 'name'], name, 1, 256);
            yield* length([...at, 'fields', k, 'value'], value, 1, 1024);
        }
    }
    if (embeds.flatMap(textsOf).reduce((sum, text) => sum + lengthOf(text), 0) > 6000) {
        const message = 'Embed size exceeds maximum size of 6000';
        yield { at: ['embeds'], code: 'MAX_EMBED_SIZE_EXCEEDED', message };
    }
}

function* problemsOfMentions({ parse = [], users, roles }) {
    for (const [name, list] of Object.entries({ users, roles })) {
        if (!list?.length) continue;
        yield* length(['allowed_mentions', name], list, 0, 100);
        if (parse.includes(name)) {
            const message = `parse:["${name}"] and ${name}: [ids...] are mutually exclusive.`;
            yield { at: ['allowed_mentions'], code: 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', message };
        }
    }
}

function* problemsOfAttachments(attachments, files, kept) {
    yield* length(['attachments'], attachments, 0, 10);
    for (const [i, { id, filename, description }] of attachments.entries()) {
        const at = ['attachments', i];
        yield* length([...at, 'description'], description, 0, 1024);
        if (kept.includes(String(id))) continue;
        const file = files.find(({ index }) => index === Number(id));
        if (!file) yield strict([...at, 'id'], `no part files[${id}]`);
        else if (filename !== undefined && filename !== file.name)
            yield strict([...at, 'filename'], 'not that of the part');
    }
}

const legacyFields = ['content', 'embeds', 'poll', 'sticker_ids'];
const isThere = (value) => value !== undefined && value !== null && value.length !== 0;

// What may be in the flags of this kind of body.
const settable = {
    Message: flag.suppressEmbeds | flag.suppressNotifications | flag.componentsV2,
    MessageEdit: flag.suppressEmbeds | flag.componentsV2,
    Followup: flag.suppressEmbeds | flag.ephemeral | flag.suppressNotifications | flag.componentsV2,
    FollowupEdit: flag.suppressEmbeds | flag.componentsV2,
};

// kind: Message, MessageEdit, Followup or FollowupEdit. files: [{index, name}] of this request. edited: the message as
// it was, for an edit.
export function* problemsOfMessage(kind, body, { files = [], edited } = {}) {
    const had = edited?.flags ?? 0;
    const isV2 = ((had | (body.flags ?? 0)) & flag.componentsV2) !== 0;
    // An edit names the flags that the message has already, too.
    if ((body.flags ?? 0) & ~(settable[kind] | had)) yield strict(['flags'], `flags ${body.flags} cannot be set here`);
    if (body.flags !== undefined && had & flag.componentsV2 && !(body.flags & flag.componentsV2)) {
        yield strict(['flags'], 'the flag IS_COMPONENTS_V2 cannot be removed');
    }
    yield* length(['content'], body.content, 0, 2000);
    if (typeof body.nonce === 'string') yield* length(['nonce'], body.nonce, 1, 25);
    if (body.enforce_nonce && body.nonce === undefined) yield strict(['enforce_nonce'], 'no nonce to enforce');
    for (const name of isV2 ? legacyFields : []) {
        if (!isThere(body[name])) continue;
        const message = `The '${name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`;
        yield { at: [name], code: 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2', message };
    }
    if (body.embeds) yield* problemsOfEmbeds(body.embeds);
    if (body.allowed_mentions) yield* problemsOfMentions(body.allowed_mentions);
    const kept = (edited?.files ?? []).map(({ id }) => id);
    if (body.attachments) yield* problemsOfAttachments(body.attachments, files, kept);
    const names = [...files, ...(edited?.files ?? [])].map(({ name }) => name);
    if (body.components) yield* problemsOfComponents(body.components, isV2, names);
}

export function* problemsOfModal(modal) {
    yield* length(['data', 'custom_id'], modal.custom_id, 1, customIdMax);
    yield* length(['data', 'title'], modal.title, 1, 45);
    yield* length(['data', 'components'], modal.components, 1, 5);
    const all = [...allComponents(modal.components, ['data', 'components'])];
    for (const { component: one, at } of all) {
        yield* problemsOfComponent(one, at, []);
        if (one.type !== component.row) continue;
        const [input] = one.components;
        if (input?.type === component.textInput && !input.label) {
            const code = 'BASE_TYPE_REQUIRED';
            yield { at: [...at, 'components', 0, 'label'], code, message: 'This field is required' };
        }
    }
    yield* problemsOfNames(all);
}

const commandName = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

function* problemsOfCommand(command, at) {
    const { name, description, options = [] } = command;
    if (!commandName.test(name) || name !== name.toLowerCase()) {
        const message = 'Command name is invalid';
        yield { at: [...at, 'name'], code: 'APPLICATION_COMMAND_INVALID_NAME', message };
    }
    yield* length([...at, 'description'], description, 1, 100);
    yield* length([...at, 'options'], options, 0, 25);
    if (repeated(options.map((option) => option.name)) !== undefined) {
        const message = 'Option names must be unique';
        yield { at: [...at, 'options'], code: 'APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED', message };
    }
    const late = options.findIndex((option, i) => option.required && options.slice(0, i).some((o) => !o.required));
    if (late >= 0) {
        const message = 'Required options must be placed before non-required options';
        yield { at: [...at, 'options', late], code: 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', message };
    }
    for (const [i, option] of options.entries()) {
        yield* problemsOfCommand(option, [...at, 'options', i]);
        yield* length([...at, 'options', i, 'choices'], option.choices, 0, 25);
    }
}

export const problemsOfOneCommand = (command) => problemsOfCommand(command, []);

export function* problemsOfCommands(commands) {
    yield* length([], commands, 0, 100);
    for (const [i, command] of commands.entries()) yield* problemsOfCommand(command, [i]);
    if (repeated(commands.map(({ name }) => name)) !== undefined) {
        const message = 'Application command names must be unique';
        yield { at: [], code: 'APPLICATION_COMMANDS_DUPLICATE_NAME', message };
    }
}

export function* problemsOfThread(thread) {
    yield* length(['name'], thread.name, 1, 100);
}
