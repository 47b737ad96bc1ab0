// SPDX-License-Identifier: Apache-2.0
// What Telegram's types allow, as a JSON schema made at test time from the pinned @grammyjs/types.
//
// validate(method, body) refuses unknown fields, wrong types and missing ones. Telegram itself ignores unknown fields:
// here they are errors, because a misspelt field would be ignored in silence. The things the simulator sends back
// (updates, messages) are checked with the same types, so that it cannot drift from what a real bot receives.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const here = dirname(fileURLToPath(import.meta.url));
const types = join(here, 'node_modules/@grammyjs/types');

export const methods = [
    'getMe',
    'getUpdates',
    'setWebhook',
    'deleteWebhook',
    'getWebhookInfo',
    'sendMessage',
    'editMessageText',
    'editMessageReplyMarkup',
    'answerCallbackQuery',
    'sendDocument',
    'getChat',
    'deleteMessage',
    'setMyCommands',
];
// Name here -> [file of @grammyjs/types, type there].
const received = {
    Update: ['update', 'Update'],
    Message: ['message', 'Message'],
    Me: ['manage', 'UserFromGetMe'],
    WebhookInfo: ['manage', 'WebhookInfo'],
    ChatFullInfo: ['manage', 'ChatFullInfo'],
};

// The argument of each method as a type of its own: the generator does not look into Parameters<…>.
function source() {
    const ts = require('typescript');
    const file = join(types, 'methods.d.ts');
    const parsed = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    const imports = parsed.statements
        .filter(ts.isImportDeclaration)
        .map((s) => s.getText().replace('"./', `"${types}/`));
    const declared = parsed.statements.find((s) => ts.isTypeAliasDeclaration(s) && s.name.text === 'ApiMethods').type
        .members;
    const body = (name) => {
        const method = declared.find((m) => m.name.text === name);
        if (!method) throw new Error(`@grammyjs/types does not know the method ${name}`);
        return `export type ${name} = ${method.parameters[0]?.type.getText() ?? '{}'};`;
    };
    const results = Object.entries(received).map(
        ([name, [from, type]]) =>
            `import type { ${type} as Their${name} } from "${types}/${from}.js";\n` +
                `export type Our${name} = Their${name};`,
    );
    // F is the type of a file to upload; in a body it is the name of a part, or a file_id.
    return [...imports, 'type F = string;', ...methods.map(body), ...results].join('\n');
}

// Made once for each version of the types and of this file: the compiler takes seconds to start.
function schemaOfTypes() {
    const cache = join(here, 'node_modules/.cache');
    const madeFrom = [fileURLToPath(import.meta.url), join(types, 'package.json')].map((file) => readFileSync(file));
    const name = createHash('sha256').update(Buffer.concat(madeFrom)).digest('hex').slice(0, 16);
    const ready = join(cache, `telegram-${name}.json`);
    if (existsSync(ready)) return JSON.parse(readFileSync(ready, 'utf8'));
    mkdirSync(cache, { recursive: true });
    const { createGenerator } = require('ts-json-schema-generator');
    const path = join(cache, `telegram-${name}-${process.pid}.ts`);
    writeFileSync(path, source());
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
        // The schema is large and used for a few bodies: compiling it quickly matters more than running it quickly.
        const quick = { code: { optimize: false }, inlineRefs: false, validateSchema: false };
        const ajv = new Ajv({ strict: false, allowUnionTypes: true, ...quick });
        const schema = schemaOfTypes();
        ajv.addSchema(schema, 'telegram');
        compiled = { ajv, schema, byName: new Map() };
    }
    if (!compiled.byName.has(name)) {
        compiled.byName.set(name, compiled.ajv.compile({ $ref: `telegram#/definitions/${name}` }));
    }
    return compiled.byName.get(name);
}

function problem(name, value) {
    const check = validator(name);
    if (check(value)) return null;
    // The deepest complaint is the one about the branch that was meant.
    const deepest = check.errors.reduce((a, b) => (b.instancePath.length > a.instancePath.length ? b : a));
    const { instancePath, message, params } = deepest;
    const field = params?.additionalProperty ? ` ("${params.additionalProperty}")` : '';
    return `${instancePath || 'body'} ${message}${field}`;
}

// Null, or what is wrong with the body of this method.
export const validate = (method, body) => problem(method, body);

// Null, or what is wrong with a thing that Telegram sends: one of the names in `received`.
export const validateReceived = (name, value) => problem(`Our${name}`, value);

// The schema of one parameter, to read form fields, which are all text.
export const parameterSchema = (method, name) => (
    validator(method),
    compiled.schema.definitions[method]?.properties?.[name]
);
