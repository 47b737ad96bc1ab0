// SPDX-License-Identifier: Apache-2.0
// Reads a body in the two forms that Discord takes: JSON, or multipart with the JSON in a part and the files in others.
import { readMultipart } from '../multipart.mjs';
import * as refusal from './api_error.mjs';

const jsonType = 'application/json';
const filesMax = 10;

function readJson(bytes) {
    try {
        return JSON.parse(bytes.toString('utf8'));
    } catch {
        throw refusal.invalidJson();
    }
}

function readParts(bytes, type) {
    try {
        return readMultipart(bytes, type);
    } catch (error) {
        throw refusal.strict(error.message);
    }
}

function indexOf(name) {
    const [, index] = /^files\[(\d+)\]$/.exec(name) ?? [];
    if (index === undefined) throw refusal.strict(`a file in a part "${name}"`);
    return Number(index);
}

// {body, files}: files are {index, name, type, content}, in parts called files[index]. bytes is null if there were too
// many.
export function readBody(request, bytes) {
    if (!bytes) throw refusal.tooLarge();
    if (['GET', 'DELETE'].includes(request.method)) return { body: {}, files: [] };
    const type = request.headers['content-type'] ?? '';
    if (type.startsWith(jsonType)) return { body: readJson(bytes), files: [] };
    if (!type.startsWith('multipart/form-data')) {
        const message = `Expected "Content-Type" header to be one of {'application/json', 'multipart/form-data'}.`;
        throw new refusal.ApiError(400, 50035, message);
    }
    const parts = readParts(bytes, type);
    const payload = parts.find(({ name, file }) => name === 'payload_json' && !file);
    const other = parts.find((part) => part !== payload && !part.file);
    if (other) throw refusal.strict(`a part "${other.name}" next to payload_json`);
    const files = parts.filter(({ file }) => file).map(({ name, file }) => ({ index: indexOf(name), ...file }));
    if (files.length > filesMax) throw refusal.tooManyFiles();
    return { body: payload ? readJson(Buffer.from(payload.text)) : {}, files };
}
