// SPDX-License-Identifier: Apache-2.0
// How the pinned Claude Code CLI is started so that it talks to nobody but the mock model, and knows nothing of the
// person who runs the tests.
import { accessSync, constants, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

// The native binary of this machine; no node is needed to run it.
export function claudeBinary() {
    const binary = join(here, `node_modules/@anthropic-ai/claude-code-linux-${process.arch}/claude`);
    try {
        accessSync(binary, constants.X_OK);
    } catch {
        throw new Error(`Claude Code is not installed for linux-${process.arch}: run "npm ci" in tests/e2e`);
    }
    return binary;
}

// The mode in which it asks on standard output before it uses a tool, and waits for the answer on standard input.
export const claudeArguments = [
    '-p',
    '--input-format',
    'stream-json',
    '--output-format',
    'stream-json',
    '--verbose',
    '--permission-prompt-tool',
    'stdio',
    '--permission-mode',
    'default',
];

// The whole environment: nothing of ours is inherited but PATH. home is a directory of this test alone.
export function claudeEnvironment({ home, llm, proxy }) {
    const config = join(home, '.claude');
    const temporary = join(home, 'tmp');
    mkdirSync(config, { recursive: true });
    mkdirSync(temporary, { recursive: true });
    return {
        PATH: process.env.PATH,
        HOME: home,
        TMPDIR: temporary,
        LANG: 'C.UTF-8',
        SHELL: '/bin/bash',
        CLAUDE_CONFIG_DIR: config,
        ANTHROPIC_BASE_URL: llm.url,
        ANTHROPIC_API_KEY: 'sk-ant-not-a-key',
        HTTPS_PROXY: proxy.url,
        HTTP_PROXY: proxy.url,
        NO_PROXY: '127.0.0.1,localhost',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_ERROR_REPORTING: '1',
        DISABLE_BUG_COMMAND: '1',
        DISABLE_COST_WARNINGS: '1',
    };
}
