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

// What a test in JavaScript calls on the simulator, with one object of arguments each.
const commandsOf = (simulator) => ({
    messages: (asked) => simulator.messages(asked),
    taps: () => simulator.taps(),
    journal: () => simulator.journal,
    updates: () => [...simulator.updates.all.values()],
    state: () => ({
        polling: simulator.updates.polling(),
        pending: simulator.updates.pending().length,
        webhook: simulator.webhook.info(),
        deliveries: simulator.webhook.deliveries,
    }),
    tap: (act) => simulator.tap(act),
    say: (act) => simulator.say(act),
    edit: (act) => simulator.edit(act),
    migrate: (act) => simulator.migrate(act),
    addUser: (user) => simulator.addUser(user),
    addChat: (chat) => simulator.addChat(chat),
    block: ({ chat }) => simulator.block(chat),
    unblock: ({ chat }) => simulator.unblock(chat),
    advance: ({ seconds }) => simulator.advance(seconds),
    hold: () => simulator.hold(),
    release: () => simulator.release(),
    replay: ({ update_id: id }) => simulator.replay(id),
    fail: (failure) => simulator.fail(failure),
    clearFailures: () => simulator.clearFailures(),
});

export function controlServer(simulator) {
    const commands = commandsOf(simulator);
    const run = async (request) => {
        const name = request.url.slice(1);
        if (request.method === 'GET' && name === '') return Object.keys(commands);
        if (request.method !== 'POST' || !Object.hasOwn(commands, name)) {
            throw new Error(`POST one of: ${Object.keys(commands).join(', ')}`);
        }
        return (await commands[name](await argumentsOf(request))) ?? null;
    };
    return http.createServer(async (request, response) => {
        const answer = await run(request).then(
            (result) => ({ ok: true, result }),
            (e) => ({ ok: false, error: e.message }),
        );
        response.writeHead(answer.ok ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
}
