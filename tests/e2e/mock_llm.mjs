// SPDX-License-Identifier: Apache-2.0
// The Anthropic Messages API and the OpenAI Responses API on loopback, with a model that follows a script.
//
//   llm.script('build', [[bash('make')], [bash('ls'), bash('id')]], 'Done.')
//
// A prompt that contains [[build]] starts that script: each step is one turn of the model with all its tool calls, in
// order; after the last step it says the final text and stops. `results('build')` is what the model got back for each
// call. A conversation without a mark gets a plain text.
import http from 'node:http';
import { listen } from './loopback.mjs';
import { eventsOf, outputOf, readInput } from './mock_responses.mjs';

const mark = /\[\[([a-z0-9_-]+)\]\]/g;
const usage = { input_tokens: 10, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

export const call = (name, input) => ({ name, input });
export const bash = (command, description = 'A command') => call('Bash', { command, description });
// Codex's name for it, and how a model of its gives a patch.
export const shell = (cmd, more = {}) => call('exec_command', { cmd, ...more });
export const patch = (text) =>
    shell(`apply_patch <<'EOP'\n*** Begin Patch\n${text}\n*** End Patch\nEOP\n`);

const blocksOf = ({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);
const textOf = (content) =>
    typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');

// Which script a conversation follows, and what came back since its mark: one list of results for each finished turn.
function readConversation(messages) {
    let name = null;
    let turns = [];
    for (const message of messages) {
        const blocks = blocksOf(message);
        const marks =
            message.role !== 'user' ? [] : blocks.flatMap((b) => (b.type === 'text' ? [...b.text.matchAll(mark)] : []));
        if (marks.length) [name, turns] = [marks.at(-1)[1], []];
        const results = blocks.filter((block) => block.type === 'tool_result');
        if (results.length) turns.push(results);
    }
    return { name, turns };
}

// The events of one streamed answer, as the real API sends them.
export function* streamOf(message) {
    yield { type: 'message_start', message: { ...message, content: [], stop_reason: null } };
    for (const [index, block] of message.content.entries()) {
        const isText = block.type === 'text';
        yield {
            type: 'content_block_start',
            index,
            content_block: isText ? { ...block, text: '' } : { ...block, input: {} },
        };
        yield {
            type: 'content_block_delta',
            index,
            delta: isText
                ? { type: 'text_delta', text: block.text }
                : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
        };
        yield { type: 'content_block_stop', index };
    }
    yield {
        type: 'message_delta',
        delta: { stop_reason: message.stop_reason, stop_sequence: null },
        usage: { output_tokens: 20 },
    };
    yield { type: 'message_stop' };
}

export class MockLlm {
    static async start() {
        const llm = new MockLlm();
        llm.#server = await listen(http.createServer((q, r) => llm.#serve(q, r)));
        llm.url = `http://127.0.0.1:${llm.#server.port}`;
        return llm;
    }

    #server;
    #scripts = new Map();
    #calls = new Map();
    #last = 0;
    requests = []; // {path, script, turn, tools} of every request
    unknown = []; // what was asked for that is neither API

    close() {
        return this.#server.close();
    }

    script(name, steps, final = 'Done.') {
        this.#scripts.set(name, { steps, final, results: new Map() });
        return `[[${name}]]`;
    }

    // [{name, input, text, isError}] in the order in which the model got them; each call once.
    results(name) {
        return [...this.#scripts.get(name).results.values()];
    }

    // How many steps of this script the model was asked for. Side questions, such as one for a title, offer no tools or
    // repeat a step.
    turns(name) {
        const asked = this.requests.filter(({ script, tools }) => script === name && tools.length > 0);
        return new Set(asked.map(({ turn }) => turn)).size;
    }

    async #serve(request, response) {
        let text = '';
        for await (const part of request.setEncoding('utf8')) text += part;
        const path = request.url.split('?')[0];
        if (request.method === 'POST' && path === '/v1/messages')
            return this.#messages(JSON.parse(text), path, response);
        if (request.method === 'POST' && path === '/v1/responses')
            return this.#responses(JSON.parse(text), path, response);
        if (request.method === 'GET' && path === '/v1/models') return json(response, 200, { data: [], models: [] });
        if (request.method === 'POST' && path === '/v1/messages/count_tokens')
            return json(response, 200, { input_tokens: 10 });
        this.unknown.push(`${request.method} ${path}`);
        json(response, 404, { type: 'error', error: { type: 'not_found_error', message: 'Not found' } });
    }

    // What the model does next in this conversation.
    #next({ name, turns }, path, tools) {
        const script = this.#scripts.get(name);
        this.requests.push({ path, script: script ? name : null, turn: turns.length, tools });
        for (const result of turns.flat()) this.#keep(script, result);
        // Side questions, such as one for a title, offer no tools.
        const step = tools.length ? script?.steps[turns.length] : undefined;
        return { step, final: script?.final ?? 'Nothing to do.' };
    }

    #messages(body, path, response) {
        const tools = (body.tools ?? []).map((tool) => tool.name);
        const { step, final } = this.#next(readConversation(body.messages), path, tools);
        const message = this.#message(body.model, step, final);
        if (!body.stream) return json(response, 200, message);
        stream(response, streamOf(message));
    }

    #responses(body, path, response) {
        const tools = body.tools ?? [];
        const names = tools.map((tool) => tool.name ?? tool.type);
        const { step, final } = this.#next(readInput(body.input, mark), path, names);
        const output = outputOf({ id: this.#id(), text: final, uses: this.#uses('call', step ?? []), tools });
        stream(response, eventsOf(this.#id(), output));
    }

    #id() {
        return String(++this.#last).padStart(6, '0');
    }

    #uses(prefix, step) {
        const uses = step.map(({ name, input }) => ({ id: `${prefix}_${this.#id()}`, name, input }));
        for (const { id, name, input } of uses) this.#calls.set(id, { name, input });
        return uses;
    }

    #keep(script, { tool_use_id: id, content, is_error: isError = false }) {
        script?.results.set(id, { ...this.#calls.get(id), text: textOf(content), isError });
    }

    #message(model, step, final) {
        const uses = this.#uses('toolu', step ?? []).map((use) => ({ type: 'tool_use', ...use }));
        const text = { type: 'text', text: step ? 'I will use a tool.' : final };
        return {
            id: `msg_${this.#id()}`,
            type: 'message',
            role: 'assistant',
            model,
            content: [text, ...uses],
            stop_reason: step ? 'tool_use' : 'end_turn',
            stop_sequence: null,
            usage,
        };
    }
}

function stream(response, events) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
}

const json = (response, status, value) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
