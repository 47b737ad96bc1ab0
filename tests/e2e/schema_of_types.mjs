// SPDX-License-Identifier: Apache-2.0
// What a platform's own TypeScript types allow, as a JSON schema that is made at test time from a pinned package.
//
// Unknown fields are errors, though the platforms ignore them: a misspelt field would go unnoticed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules');

export const folderOf = (typesPackage) => join(modules, typesPackage);

// The compiler takes seconds to start, so the schema is made once for each version of the types and of `madeBy`.
function readOrMake({ name, typesPackage, madeBy, source }) {
    const cache = join(modules, '.cache');
    const inputs = [import.meta.url, madeBy].map((url) => fileURLToPath(url));
    const hash = createHash('sha256');
    for (const file of [...inputs, join(folderOf(typesPackage), 'package.json')]) hash.update(readFileSync(file));
    const version = `${name}-${hash.digest('hex').slice(0, 16)}`;
    const ready = join(cache, `${version}.json`);
    if (existsSync(ready)) return JSON.parse(readFileSync(ready, 'utf8'));
    const { createGenerator } = require('ts-json-schema-generator');
    // Test files run in their own processes: none may read what another has half written.
    const scratch = join(cache, `${version}-${process.pid}`);
    mkdirSync(scratch, { recursive: true });
    const path = join(scratch, 'types.ts');
    writeFileSync(path, source(scratch));
    const schema = createGenerator({
        path,
        type: '*',
        skipTypeCheck: true,
        expose: 'export',
        additionalProperties: false,
    }).createSchema('*');
    writeFileSync(join(scratch, 'schema.json'), JSON.stringify(schema));
    renameSync(join(scratch, 'schema.json'), ready);
    rmSync(scratch, { recursive: true });
    return schema;
}

export class SchemaOfTypes {
    #options;
    #compiled = null;

    // name: the platform. typesPackage: where the types come from. madeBy: the url of the module that says which types.
    // source(scratch): TypeScript that exports them; it may put files into the scratch folder. adjust(definitions):
    // changes what the generator got wrong.
    constructor({ name, typesPackage, madeBy, source, adjust = () => {} }) {
        this.#options = { name, typesPackage, madeBy, source, adjust };
    }

    definition(type) {
        return this.#all().schema.definitions[type];
    }

    // Null, or {path, words}: what is wrong with the value, and where.
    problem(type, value) {
        const check = this.#validator(type);
        if (check(value)) return null;
        // The deepest complaint is the one about the branch that was meant.
        const deepest = check.errors.reduce((a, b) => (b.instancePath.length > a.instancePath.length ? b : a));
        const { instancePath: path, message, params } = deepest;
        const field = params?.additionalProperty ? ` ("${params.additionalProperty}")` : '';
        return { path, words: `${path || 'body'} ${message}${field}` };
    }

    #all() {
        if (!this.#compiled) {
            const Ajv = require('ajv').default;
            // A schema is large and used for a few bodies: compiling it quickly matters more than running it quickly.
            const quick = { code: { optimize: false }, inlineRefs: false, validateSchema: false };
            const ajv = new Ajv({ strict: false, allowUnionTypes: true, ...quick });
            const schema = readOrMake(this.#options);
            this.#options.adjust(schema.definitions);
            ajv.addSchema(schema, this.#options.name);
            this.#compiled = { ajv, schema, byType: new Map() };
        }
        return this.#compiled;
    }

    #validator(type) {
        const { ajv, byType } = this.#all();
        if (!byType.has(type)) {
            byType.set(type, ajv.compile({ $ref: `${this.#options.name}#/definitions/${type}` }));
        }
        return byType.get(type);
    }
}

// Platforms count code points unless they say otherwise.
export const lengthOf = (text) => [...(text ?? '')].length;
// The first value that is there twice.
export const repeated = (values) => values.find((value, i) => value !== undefined && values.indexOf(value) !== i);
