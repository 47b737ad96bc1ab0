// SPDX-License-Identifier: Apache-2.0
// What Telegram's types allow, as a JSON schema made at test time from the pinned @grammyjs/types.
//
// validate(method, body) refuses unknown fields, wrong types and missing ones. Telegram itself ignores unknown fields:
// here they are errors, because a misspelt field would be ignored in silence. The things the simulator sends back
// (updates, messages) are checked with the same types, so that it cannot drift from what a real bot receives.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SchemaOfTypes, folderOf } from './schema_of_types.mjs';

const require = createRequire(import.meta.url);
const typesPackage = '@grammyjs/types';
const types = folderOf(typesPackage);

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

const schema = new SchemaOfTypes({ name: 'telegram', typesPackage, madeBy: import.meta.url, source });
const problem = (name, value) => schema.problem(name, value)?.words ?? null;

// Null, or what is wrong with the body of this method.
export const validate = (method, body) => problem(method, body);

// Null, or what is wrong with a thing that Telegram sends: one of the names in `received`.
export const validateReceived = (name, value) => problem(`Our${name}`, value);

// The schema of one parameter, to read form fields, which are all text.
export const parameterSchema = (method, name) => schema.definition(method)?.properties?.[name];
