// SPDX-License-Identifier: Apache-2.0
// The real agent CLIs with one interface, so that a case runs with each of them:
// name (of `countersign run`), binary(), environment(bench), process (how its process is called), shell(command) (a
// call of the model), tool (its name in the records), hearsReason (whether the model learns why it was denied).
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

export const everyAgent = [claudeAgent, codexAgent];
