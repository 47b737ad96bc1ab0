// SPDX-License-Identifier: Apache-2.0
#include "runtimes/acp/known_agents.hpp"

#include "core/json/members.hpp"

#include <algorithm>
#include <array>

namespace countersign::runtimes::acp {

bool cancel_ends_turn(std::string_view agent) { return agent.ends_with("codex-acp"); }

bool asks_no_person(std::string_view mode) {
    constexpr auto modes = std::to_array<std::string_view>(
        {"agent", "agent-full-access", "auto", "bypassPermissions", "dontAsk", "full-access", "yolo"});
    return std::ranges::find(modes, mode) != modes.end();
}

bool ends_the_asking(std::string_view option_id) {
    constexpr auto options = std::to_array<std::string_view>({"exit-plan-auto", "exit-plan-clear-auto"});
    return asks_no_person(option_id) || std::ranges::find(options, option_id) != options.end();
}

bool says_not_run(const json::Object& update) {
    const auto& own = object_in(object_in(update, "_meta"), "claudeCode");
    return own.find("nonExecutionKind") != nullptr;
}

}  // namespace countersign::runtimes::acp
