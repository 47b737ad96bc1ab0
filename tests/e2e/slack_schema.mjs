// SPDX-License-Identifier: Apache-2.0
// What Slack's types allow, as a JSON schema made at test time from the pinned @slack/types, and beside it the lengths
// that its documents name, which no type has.
//
// problemOfBlocks and problemOfView give null or what is wrong.
import { SchemaOfTypes, folderOf, lengthOf, repeated } from './schema_of_types.mjs';

const typesPackage = '@slack/types';
const types = folderOf(typesPackage);
const source = `
import type { KnownBlock } from "${types}/dist/block-kit/blocks";
import type { ModalView } from "${types}/dist/views";
export type Blocks = KnownBlock[];
export type Modal = Omit<ModalView, 'blocks'> & { blocks: KnownBlock[] };
`;

const schema = new SchemaOfTypes({ name: 'slack', typesPackage, madeBy: import.meta.url, source: () => source });
const problemOfType = (name, value) => schema.problem(name, value)?.words ?? null;

function* problemsOfText(where, text, most) {
    const value = typeof text === 'string' ? text : text?.text;
    if (value === undefined) return;
    if (lengthOf(value) < 1 || lengthOf(value) > most) yield `${where}: ${lengthOf(value)} characters, at most ${most}`;
}

function* problemsOfOption(option) {
    yield* problemsOfText('option text', option.text, 75);
    yield* problemsOfText('option value', option.value, 150);
    if (option.description) yield* problemsOfText('option description', option.description, 75);
}

function* problemsOfElement(element) {
    if (element.action_id !== undefined) yield* problemsOfText('action_id', element.action_id, 255);
    if (element.type === 'button') {
        yield* problemsOfText('button text', element.text, 75);
        if (element.value !== undefined) yield* problemsOfText('button value', element.value, 2000);
    }
    if (element.options) {
        const open = ['checkboxes', 'radio_buttons'].includes(element.type);
        if (element.options.length < 1 || element.options.length > (open ? 10 : 100)) yield 'the number of options';
        for (const option of element.options) yield* problemsOfOption(option);
        const again = repeated(element.options.map(({ value }) => value));
        if (again) yield `the option value ${again} twice`;
    }
    if (element.confirm) {
        yield* problemsOfText('confirm title', element.confirm.title, 100);
        yield* problemsOfText('confirm text', element.confirm.text, 300);
        yield* problemsOfText('confirm button', element.confirm.confirm, 30);
        yield* problemsOfText('confirm button', element.confirm.deny, 30);
    }
    if (element.type === 'plain_text_input' && !(element.max_length >= 1 && element.max_length <= 3000)) {
        if (element.max_length !== undefined) yield `max_length ${element.max_length}`;
    }
}

function* problemsOfBlock(block) {
    if (block.block_id !== undefined) yield* problemsOfText('block_id', block.block_id, 255);
    if (block.type === 'header') yield* problemsOfText('header', block.text, 150);
    if (block.type === 'section') yield* problemsOfText('section', block.text, 3000);
    if (block.type === 'input') {
        yield* problemsOfText('label', block.label, 2000);
        yield* problemsOfElement(block.element);
    }
    if (block.type === 'context') {
        if (block.elements.length < 1 || block.elements.length > 10) yield 'the number of elements of a context';
        for (const text of block.elements) yield* problemsOfText('context', text, 2000);
    }
    if (block.type === 'actions') {
        if (block.elements.length < 1 || block.elements.length > 25) yield 'the number of elements of actions';
        for (const element of block.elements) yield* problemsOfElement(element);
        const again = repeated(block.elements.map(({ action_id: id }) => id));
        if (again) yield `the action_id ${again} twice in a block`;
    }
    if (block.type === 'rich_text') {
        if (block.elements.length < 1) yield 'a rich_text without elements';
        for (const part of block.elements) {
            if (part.elements.length < 1) yield `a ${part.type} without elements`;
            for (const element of part.elements) {
                if (element.type === 'text' && !element.text) yield 'an empty text in rich text';
            }
        }
    }
}

function* problemsOfBlocks(blocks, most) {
    if (blocks.length > most) yield `${blocks.length} blocks, at most ${most}`;
    for (const block of blocks) yield* problemsOfBlock(block);
    const again = repeated(blocks.map(({ block_id: id }) => id));
    if (again) yield `the block_id ${again} twice`;
}

const first = (problems) => problems.next().value ?? null;

export const problemOfBlocks = (blocks) => problemOfType('Blocks', blocks) ?? first(problemsOfBlocks(blocks, 50));

export function problemOfView(view) {
    function* lengths() {
        for (const name of ['title', 'submit', 'close']) yield* problemsOfText(name, view[name], 24);
        yield* problemsOfBlocks(view.blocks, 100);
        if (lengthOf(view.private_metadata) > 3000) yield 'private_metadata is too long';
        if (view.blocks.some(({ type }) => type === 'input') && !view.submit) yield 'an input without a submit button';
    }
    return problemOfType('Modal', view) ?? first(lengths());
}
