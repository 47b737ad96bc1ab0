// SPDX-License-Identifier: Apache-2.0
// `countersign serve`, and agents of other processes that ask it one thing: no model, no CLI, so a case takes a second.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countersignBinary, until } from './bench.mjs';

const event = (id, command) =>
    JSON.stringify({
        type: 'approval_request',
        approvalId: id,
        approvalSource: 'runtime_tool',
        subject: { kind: 'tool_use', toolName: 'Bash', toolId: 't', rawInput: { command }, displayArgs: {} },
        options: [
            { optionId: 'allow', label: 'Allow', nativeDecision: 'allow_once' },
            { optionId: 'deny', label: 'Deny', nativeDecision: 'reject_once' },
        ],
    });

// Wraps a hub so that each sync takes longer than a platform's reply may wait, and less than the log is given.
const delayEachSync = ['-e', 'trace=fdatasync', '-e', 'inject=fdatasync:delay_enter=2000000'];
export const onSlowDisk = ['strace', '-f', '-qq', '-o', '/dev/null', ...delayEachSync];

// A hub without an agent, ready for some.
export const startHub = (world, { state = world.bench.state, wrap = [] } = {}) => {
    const [program, ...args] = [...wrap, countersignBinary(), 'serve', '--state', state, '--config', world.config];
    return world.bench.start(program, args);
};
export const serve = async (world, options) => {
    const program = startHub(world, options);
    await until('the hub', () => program.err.some((line) => line.includes('This hub serves')), {
        within: 60_000,
        status: () => program.story(),
    });
    return program;
};
// An agent in a process of its own, which asks once and keeps the answer.
export const ask = (world, id = '01HZXAAAAAAAAAAAAAAAAAAAA1', { agent = 'dev', command = 'ls' } = {}) => {
    const answer = join(world.bench.directory, `answer-${id}`);
    const script = join(world.bench.directory, `agent-${id}`);
    const asks = `cat <<'END'\n${event(id, command)}\nEND\n`;
    writeFileSync(script, `${asks}IFS= read -r line\nprintf '%s' "$line" > ${answer}\n`);
    const program = world.bench.start(countersignBinary(), [
        ...['run', 'event', '--agent', agent, '--state', world.bench.state, '--config', world.config],
        ...['--', 'bash', script],
    ]);
    return { id, program, answer: () => (existsSync(answer) ? readFileSync(answer, 'utf8') : '') };
};

// An agent that prints these lines and keeps what it is told.
export function speak(world, name, lines, { agent = name } = {}) {
    const heard = join(world.bench.directory, `heard-${name}`);
    const script = join(world.bench.directory, `speaker-${name}`);
    writeFileSync(heard, '');
    const said = lines.map((line) => `cat <<'END'\n${JSON.stringify(line)}\nEND\n`).join('');
    writeFileSync(script, `${said}while IFS= read -r line; do printf '%s\\n' "$line" >> ${heard}; done\n`);
    const program = world.bench.start(countersignBinary(), [
        ...['run', 'event', '--agent', agent, '--state', world.bench.state, '--config', world.config],
        ...['--', 'bash', script],
    ]);
    return { program, heard };
}

// Until the agent has an answer with these words.
export const answered = (agent, words, hub, within = 30_000) =>
    until(words, () => agent.answer().includes(words), { within, status: () => hub.story() });

// What a command prints about the hub of this world.
export const command = (world, ...args) =>
    execFileSync(countersignBinary(), [...args, '--state', world.bench.state], { encoding: 'utf8' });
export const outbox = (world) => JSON.parse(command(world, 'outbox', '--json'));

// Of the public listener.
export const portOf = (program) =>
    Number(program.err.map((line) => /listening on 127.0.0.1 port (\d+)/.exec(line)?.[1]).find(Boolean));
