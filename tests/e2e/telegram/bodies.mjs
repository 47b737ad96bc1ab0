// SPDX-License-Identifier: Apache-2.0
// Reads a body in the three forms that Telegram takes: JSON, form and multipart. In the last two every field is text, and
// objects and numbers are JSON inside it.
import { parameterSchema } from '../telegram_schema.mjs';
import { ApiError, badRequest } from './api_error.mjs';

const bodyBytesMax = 60 << 20;

async function bytesOf(request) {
    const parts = [];
    let size = 0;
    for await (const part of request) {
        size += part.length;
        if (size > bodyBytesMax) throw new ApiError(413, 'Request Entity Too Large');
        parts.push(part);
    }
    return Buffer.concat(parts);
}

const takesText = (schema) => !schema || [schema.type].flat().includes('string');

function fieldValue(method, name, text) {
    const schema = parameterSchema(method, name);
    if (name === 'chat_id' && /^-?\d+$/.test(text)) return Number(text);
    if (takesText(schema)) return text;
    try {
        return JSON.parse(text);
    } catch {
        return text;  // the schema says what is wrong with it
    }
}

// {body, files}: files by the name of their part.
export async function readBody(request, method) {
    const bytes = await bytesOf(request);
    const type = request.headers['content-type'] ?? '';
    if (bytes.length === 0) return { body: {}, files: {} };
    if (type.startsWith('application/json')) {
        try {
            return { body: JSON.parse(bytes.toString('utf8')), files: {} };
        } catch {
            throw badRequest("can't parse JSON object");
        }
    }
    if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(type)) {
        throw badRequest(`strict: content type "${type}" is not one that Telegram documents`);
    }
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
    const body = {};
    const files = {};
    for (const [name, value] of form) {
        if (typeof value === 'string') {
            body[name] = fieldValue(method, name, value);
        } else {
            files[name] = { name: value.name, type: value.type, content: Buffer.from(await value.arrayBuffer()) };
            // A file may come under the parameter's own name, or be named by attach://.
            if (name === 'document') body.document = name;
        }
    }
    return { body, files };
}
