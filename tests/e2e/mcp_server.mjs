// SPDX-License-Identifier: Apache-2.0
// An MCP server on standard input and output, with one tool that asks the person a question before it answers.
import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const tool = {
    name: 'greet',
    description: 'Greets the person',
    inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};
const question = {
    message: 'What is your name?',
    requestedSchema: {
        type: 'object',
        properties: { name: { type: 'string', title: 'Name' } },
        required: ['name'],
    },
};

let call = null; // waits for the person's answer
const answers = {
    initialize: ({ params }) => ({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'demo', version: '1' },
    }),
    'tools/list': () => ({ tools: [tool] }),
    ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method === 'tools/call') {
        call = message;
        send({ id: 'question', method: 'elicitation/create', params: question });
    } else if (message.id === 'question') {
        const { action, content } = message.result ?? { action: 'none' };
        const text = `${call.params.arguments.word} ${action} ${content?.name ?? ''}`;
        send({ id: call.id, result: { content: [{ type: 'text', text }] } });
    } else if (message.id !== undefined && message.method) {
        const answer = answers[message.method];
        const { id } = message;
        send(answer ? { id, result: answer(message) } : { id, error: { code: -32601, message: 'unknown' } });
    }
});
