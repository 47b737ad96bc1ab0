// SPDX-License-Identifier: Apache-2.0
// What `hook claude` shares: its options, the hook itself, and the editing of the agent's settings.
#pragma once

#include <cstdint>
#include <string>

namespace countersign::app {

struct ClaudeHookOptions {
    std::string agent_id = "claude";
    std::string state;
    std::string config;
    bool ask_everything = false;
    bool unattended = false;
    std::uint64_t sub_agent_wait = 60;  // seconds
};

struct HookInstallOptions {
    bool install = false;
    bool uninstall = false;
    std::string settings;  // the file; empty: the user's, or the project's
    bool project = false;
    bool default_mode = false;
    bool print = false;
};
// Add the hook to the agent's settings, or remove it. Return the exit code.
int install_claude_hook(const ClaudeHookOptions& hook, const HookInstallOptions& options);
int uninstall_claude_hook(const HookInstallOptions& options);

// Reads one event from standard input. A decision is the only thing that it writes to standard output. The exit code
// is always 0: the CLI takes others for answers of its own kind.
int run_claude_hook(const ClaudeHookOptions& options);

}  // namespace countersign::app
