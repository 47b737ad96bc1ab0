// SPDX-License-Identifier: Apache-2.0
// Reads a body in the three forms that Telegram takes: JSON, form and multipart. In the last two every field is text,
// and objects and numbers are JSON inside it.
import { bytesOf } from '../loopback.mjs';
import { readMultipart } from '../multipart.mjs';
import { parameterSchema } from '../telegram_schema.mjs';
import { ApiError, badRequest } from './api_error.mjs';

const bodyBytesMax = 60 << 20;

const takesText = (schema) => !schema || [schema.type].flat().includes('string');

function fieldValue(method, name, text) {
    const schema = parameterSchema(method, name);
    if (name === 'chat_id' && /^-?\d+$/.test(text)) return Number(text);
    if (takesText(schema)) return text;
    try {
        return JSON.parse(text);
    } catch {
        return text; // the schema says what is wrong with it
    }
}

function readParts(bytes, type) {
    if (type.startsWith('application/x-www-form-urlencoded')) {
        return [...new URLSearchParams(bytes.toString('utf8'))].map(([name, text]) => ({ name, text }));
    }
    if (!type.startsWith('multipart/form-data')) {
        throw badRequest(`strict: content type "${type}" is not one that Telegram documents`);
    }
    try {
        return readMultipart(bytes, type);
    } catch (error) {
        throw badRequest(`can't parse the form: ${error.message}`);
    }
}

function readJson(bytes) {
    try {
        return JSON.parse(bytes.toString('utf8'));
    } catch {
        throw badRequest("can't parse JSON object");
    }
}

// {body, files}: files by the name of their part.
export async function readBody(request, method) {
    const bytes = await bytesOf(request, bodyBytesMax);
    if (!bytes) throw new ApiError(413, 'Request Entity Too Large');
    const type = request.headers['content-type'] ?? '';
    if (bytes.length === 0) return { body: {}, files: {} };
    if (type.startsWith('application/json')) return { body: readJson(bytes), files: {} };
    const body = {};
    const files = {};
    for (const { name, text, file } of readParts(bytes, type)) {
        if (file) files[name] = file;
        // A file may come under the parameter's own name, or be named by attach://.
        if (!file || name === 'document') body[name] = file ? name : fieldValue(method, name, text);
    }
    return { body, files };
}
