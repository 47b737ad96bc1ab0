// SPDX-License-Identifier: Apache-2.0
// How the pinned Codex CLI is started so that it talks to nobody but the mock model, and knows nothing of the person
// who runs the tests.
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const targets = { x64: 'x86_64', arm64: 'aarch64' };

// The native binary of this machine; the package around it is a script that starts it.
export function codexBinary() {
    const target = `${targets[process.arch]}-unknown-linux-musl`;
    const binary = join(here, `node_modules/@openai/codex-linux-${process.arch}/vendor/${target}/bin/codex`);
    try {
        accessSync(binary, constants.X_OK);
    } catch {
        throw new Error(`Codex is not installed for linux-${process.arch}: run "npm ci" in tests/e2e`);
    }
    return binary;
}

// With its defaults it would ask other hosts for plugins, apps and updates.
const settings = ({ llm, more }) => `model = "mock-model"
model_provider = "mock"
check_for_update_on_startup = false
${more}
[analytics]
enabled = false
[features]
plugins = false
remote_plugin = false
plugin_discovery_prefetch = false
apps = false
default_mode_request_user_input = true
[model_providers.mock]
name = "mock"
base_url = "${llm.url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
`;

// The whole environment: nothing of ours is inherited but PATH. home is a directory of this test alone.
export function codexEnvironment({ home, llm, proxy }, { more = '' } = {}) {
    const config = join(home, '.codex');
    const temporary = join(home, 'tmp'); // Codex warns if its home is below it
    mkdirSync(config, { recursive: true });
    mkdirSync(temporary, { recursive: true });
    writeFileSync(join(config, 'config.toml'), settings({ llm, more }));
    return {
        PATH: process.env.PATH,
        HOME: home,
        TMPDIR: temporary,
        LANG: 'C.UTF-8',
        SHELL: '/bin/bash',
        CODEX_HOME: config,
        OPENAI_API_KEY: 'sk-not-a-key',
        HTTPS_PROXY: proxy.url,
        HTTP_PROXY: proxy.url,
        NO_PROXY: '127.0.0.1,localhost',
    };
}
