// SPDX-License-Identifier: Apache-2.0
// The OpenAI Responses API, as far as Codex uses it: pure functions from a request's body to the conversation so far,
// and from one step of a script to the events of the answer.
const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
};

const textOf = (output) =>
    typeof output === 'string' ? output : (output ?? []).map((part) => part.text ?? '').join('');

// A command that was refused or failed; Codex has no flag for it.
const failed = /Rejected\(|rejected by user|failed|exited with code [1-9]|exit_code":[1-9]/;

// Which script a conversation follows, and what came back since its mark: one list of results for each finished turn.
export function readInput(input, mark) {
    let name = null;
    let turns = [];
    let open = [];
    for (const item of input) {
        const kind = item.type ?? 'message';
        if (kind === 'message' && item.role === 'user') {
            const marks = item.content.flatMap((part) => [...(part.text ?? '').matchAll(mark)]);
            if (marks.length) [name, turns, open] = [marks.at(-1)[1], [], []];
        } else if (kind.endsWith('_output')) {
            const text = textOf(item.output);
            open.push({ tool_use_id: item.call_id, content: text, is_error: failed.test(text) });
        } else if (open.length && (kind.endsWith('_call') || kind === 'message')) {
            turns.push(open);
            open = [];
        }
    }
    if (open.length) turns.push(open);
    return { name, turns };
}

// A tool of an MCP server is sent apart from its namespace.
function nameIn(tools, name) {
    for (const tool of tools.filter(({ type }) => type === 'namespace')) {
        const own = tool.tools.find((one) => `${tool.name}__${one.name}` === name || one.name === name);
        if (own) return { name: own.name, namespace: tool.name };
    }
    return { name };
}

// The items of an answer: `uses` are {id, name, input}.
export function outputOf({ id, text, uses, tools }) {
    if (uses.length === 0) {
        const content = [{ type: 'output_text', text, annotations: [] }];
        return [{ type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content }];
    }
    return uses.map((use) => ({
        type: 'function_call',
        id: `fc_${use.id}`,
        call_id: use.id,
        ...nameIn(tools, use.name),
        arguments: JSON.stringify(use.input),
        status: 'completed',
    }));
}

// The events of one streamed answer, as the real API sends them.
export function* eventsOf(id, output) {
    const response = { id: `resp_${id}`, object: 'response', status: 'in_progress', output: [] };
    let number = 0;
    const event = (type, members) => ({ type, sequence_number: number++, ...members });
    yield event('response.created', { response });
    for (const [index, item] of output.entries()) {
        yield event('response.output_item.added', { output_index: index, item });
        yield event('response.output_item.done', { output_index: index, item });
    }
    yield event('response.completed', { response: { ...response, status: 'completed', output, usage } });
}
