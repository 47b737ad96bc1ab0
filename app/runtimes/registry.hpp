// SPDX-License-Identifier: Apache-2.0
// The runtime registry: one entry per kind of agent. All code that lists runtimes uses it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::app {

class Command;

struct RuntimeEntry {
    std::string_view name;
    // Adds `run <name>`, which reports missing requirements itself. Null: only a later release can start it.
    void (*add_run)(Command& run) = nullptr;
    std::string_view example = {};  // one line for the help of `run`; may be empty
    // Adds `hook <name>`, for sessions that people run themselves. Null if it has no hook.
    void (*add_hook)(Command& hook) = nullptr;
};

// For the registry. Defined in app/commands/, because they start agents.
void add_run_acp(Command& run);
void add_run_event(Command& run);
void add_run_claude(Command& run);
void add_hook_claude(Command& hook);
void add_run_codex(Command& run);
void add_run_gemini(Command& run);
void add_run_opencode(Command& run);

[[nodiscard]] std::span<const RuntimeEntry> runtime_registry();

// All names, including those of a later release: routes and rules may use them already.
[[nodiscard]] std::vector<std::string_view> runtime_names();

// The first runtime with an example, for help and errors.
[[nodiscard]] std::string example_runtime();

}  // namespace countersign::app
