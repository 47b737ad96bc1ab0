// SPDX-License-Identifier: Apache-2.0
#include "app/runtimes/registry.hpp"

#include <algorithm>

namespace countersign::app {

std::span<const RuntimeEntry> runtime_registry() {
    static constexpr RuntimeEntry entries[] = {
        {.name = "acp", .add_run = add_run_acp},
        {.name = "claude",
         .add_run = add_run_claude,
         .example = "Example: countersign run claude --prompt 'make the tests pass'",
         .add_hook = add_hook_claude},
        {.name = "codex",
         .add_run = add_run_codex,
         .example = "With Codex: countersign run codex --prompt 'make the tests pass'"},
        {.name = "event",
         .add_run = add_run_event,
         .example = "With an agent of your own (docs/EVENTS.md): countersign run event -- ./my-agent"},
        {.name = "gemini", .add_run = add_run_gemini},
        {.name = "opencode", .add_run = add_run_opencode},
    };
    return entries;
}

std::vector<std::string_view> runtime_names() {
    std::vector<std::string_view> names;
    for (const auto& entry : runtime_registry()) names.push_back(entry.name);
    return names;
}

std::string example_runtime() {
    const auto entries = runtime_registry();
    const auto first = std::ranges::find_if(entries, [](const auto& entry) { return !entry.example.empty(); });
    return std::string{first->name};
}

}  // namespace countersign::app
