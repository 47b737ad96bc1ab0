// SPDX-License-Identifier: Apache-2.0
// The simulator's second port, for tests in any language: POST /<command> with its arguments as one JSON object;
// the answer is {"ok": true, "result": …} or {"ok": false, "error": "…"}. GET / lists the commands.
import http from 'node:http';

const argumentBytesMax = 1 << 20;

async function argumentsOf(request) {
    let text = '';
    for await (const part of request.setEncoding('utf8')) {
        text += part;
        if (text.length > argumentBytesMax) throw new Error('arguments are too long');
    }
    return text ? JSON.parse(text) : {};
}

export function controlServer(commands) {
    const run = async (request) => {
        const name = request.url.slice(1);
        if (request.method === 'GET' && name === '') return Object.keys(commands);
        if (request.method !== 'POST' || !Object.hasOwn(commands, name)) {
            throw new Error(`POST one of: ${Object.keys(commands).join(', ')}`);
        }
        return (await commands[name](await argumentsOf(request))) ?? null;
    };
    return http.createServer(async (request, response) => {
        const answer = await run(request).then((result) => ({ ok: true, result }), (e) => ({ ok: false, error: e.message }));
        response.writeHead(answer.ok ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
}
