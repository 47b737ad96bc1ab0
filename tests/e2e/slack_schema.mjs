// SPDX-License-Identifier: Apache-2.0
// What Slack's types allow, as a JSON schema made at test time from the pinned @slack/types, and beside it the lengths
// that its documents name, which no type has.
//
// problemOfBlocks and problemOfView give null or what is wrong. Unknown fields are errors: a misspelt one would be
// ignored in silence.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const here = dirname(fileURLToPath(import.meta.url));
const types = join(here, 'node_modules/@slack/types');

const source = `
import type { KnownBlock } from "${types}/dist/block-kit/blocks";
import type { ModalView } from "${types}/dist/views";
export type Blocks = KnownBlock[];
export type Modal = Omit<ModalView, 'blocks'> & { blocks: KnownBlock[] };
`;

// Made once for each version of the types and of this file: the compiler takes seconds to start.
function schemaOfTypes() {
    const cache = join(here, 'node_modules/.cache');
    const madeFrom = [fileURLToPath(import.meta.url), join(types, 'package.json')].map((file) => readFileSync(file));
    const name = createHash('sha256').update(Buffer.concat(madeFrom)).digest('hex').slice(0, 16);
    const ready = join(cache, `slack-${name}.json`);
    if (existsSync(ready)) return JSON.parse(readFileSync(ready, 'utf8'));
    mkdirSync(cache, { recursive: true });
    const { createGenerator } = require('ts-json-schema-generator');
    const path = join(cache, `slack-${name}-${process.pid}.ts`);
    writeFileSync(path, source);
    const schema = createGenerator({
        path,
        type: '*',
        skipTypeCheck: true,
        expose: 'export',
        additionalProperties: false,
    }).createSchema('*');
    // Test files run in processes of their own: none may read a half-written file.
    writeFileSync(`${path}.json`, JSON.stringify(schema));
    renameSync(`${path}.json`, ready);
    rmSync(path);
    return schema;
}

let compiled;
function validator(name) {
    if (!compiled) {
        const Ajv = require('ajv').default;
        const quick = { code: { optimize: false }, inlineRefs: false, validateSchema: false };
        const ajv = new Ajv({ strict: false, allowUnionTypes: true, ...quick });
        ajv.addSchema(schemaOfTypes(), 'slack');
        compiled = { ajv, byName: new Map() };
    }
    if (!compiled.byName.has(name)) {
        compiled.byName.set(name, compiled.ajv.compile({ $ref: `slack#/definitions/${name}` }));
    }
    return compiled.byName.get(name);
}

function problemOfType(name, value) {
    const check = validator(name);
    if (check(value)) return null;
    const deepest = check.errors.reduce((a, b) => (b.instancePath.length > a.instancePath.length ? b : a));
    const { instancePath, message, params } = deepest;
    const field = params?.additionalProperty ? ` ("${params.additionalProperty}")` : '';
    return `${instancePath || 'body'} ${message}${field}`;
}

const length = (text) => [...(text ?? '')].length;
const twice = (names) => names.find((name, i) => name !== undefined && names.indexOf(name) !== i);

function* problemsOfText(where, text, most) {
    const value = typeof text === 'string' ? text : text?.text;
    if (value === undefined) return;
    if (length(value) < 1 || length(value) > most) yield `${where}: ${length(value)} characters, at most ${most}`;
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
        const again = twice(element.options.map(({ value }) => value));
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
        const again = twice(block.elements.map(({ action_id: id }) => id));
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
    const again = twice(blocks.map(({ block_id: id }) => id));
    if (again) yield `the block_id ${again} twice`;
}

const first = (problems) => problems.next().value ?? null;

export const problemOfBlocks = (blocks) => problemOfType('Blocks', blocks) ?? first(problemsOfBlocks(blocks, 50));

export function problemOfView(view) {
    function* lengths() {
        for (const name of ['title', 'submit', 'close']) yield* problemsOfText(name, view[name], 24);
        yield* problemsOfBlocks(view.blocks, 100);
        if (length(view.private_metadata) > 3000) yield 'private_metadata is too long';
        if (view.blocks.some(({ type }) => type === 'input') && !view.submit) yield 'an input without a submit button';
    }
    return problemOfType('Modal', view) ?? first(lengths());
}
