// SPDX-License-Identifier: Apache-2.0
// The real agent CLIs with one interface, so that a case runs with each of them:
// name (of `countersign run`), binary() or command() (its program, or its whole command after --), environment(bench),
// process (how its process may be called), shell(command) (a call of the model), tool (its name in the records),
// hearsReason (whether the model learns why it was denied).
import { accessSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claudeBinary, claudeEnvironment } from './claude_env.mjs';
import { codexBinary, codexEnvironment } from './codex_env.mjs';
import { bash, shell } from './mock_llm.mjs';

export const claudeAgent = {
    name: 'claude',
    process: 'claude',
    binary: claudeBinary,
    environment: claudeEnvironment,
    shell: (command) => bash(command),
    tool: 'Bash',
    hearsReason: true,
};

export const codexAgent = {
    name: 'codex',
    process: 'codex',
    binary: codexBinary,
    environment: codexEnvironment,
    shell: (command) => shell(command),
    tool: 'shell',
    hearsReason: false,
};

// Claude Code behind the Agent Client Protocol: the adapter of the protocol's makers, with the pinned CLI inside.
function acpScript() {
    const here = dirname(fileURLToPath(import.meta.url));
    const script = join(here, 'node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js');
    try {
        accessSync(script);
    } catch {
        throw new Error('claude-agent-acp is not installed: run "npm ci" in tests/e2e');
    }
    return script;
}

export const acpAgent = {
    name: 'acp',
    process: ['node', 'MainThread'], // by the version of node
    command: () => [process.execPath, acpScript()],
    environment: (bench) => ({ ...claudeEnvironment(bench), CLAUDE_CODE_EXECUTABLE: claudeBinary() }),
    shell: (command) => bash(command),
    tool: 'Bash',
    hearsReason: false,
};

export const everyAgent = [claudeAgent, codexAgent, acpAgent];
