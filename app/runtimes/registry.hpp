// SPDX-License-Identifier: Apache-2.0
// The runtime registry: one entry for each kind of agent. Everything that lists runtimes asks here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::app {

class Command;

struct RuntimeEntry {
    std::string_view name;
    // Adds `run <name>`, which says itself what it needs. Null: a later release can start it.
    void (*add_run)(Command& run) = nullptr;
    std::string_view example = {};  // one line of help under `run`
};

// For the registry; in app/commands/, because they start an agent.
void add_run_event(Command& run);
void add_run_claude(Command& run);

[[nodiscard]] std::span<const RuntimeEntry> runtime_registry();

// All of them, also those of a later release: a route or a rule may name them already.
[[nodiscard]] std::vector<std::string_view> runtime_names();

// The first that can be started, for help and errors.
[[nodiscard]] std::string example_runtime();

}  // namespace countersign::app
