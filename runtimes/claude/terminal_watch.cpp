// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/terminal_watch.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"

namespace countersign::runtimes::claude {

std::optional<bool> waits_for_person(std::string_view session_file, std::string_view session_id) {
    const auto read = json::read(session_file);
    const auto* object = read ? read->value.object() : nullptr;
    if (object == nullptr || text_of(*object, "sessionId") != session_id) return std::nullopt;
    const auto status = text_of(*object, "status");
    if (status.empty()) return std::nullopt;
    return status == "waiting";
}

void TerminalWatch::observe(std::optional<bool> waits, BootTime now) {
    if (!waits) return;
    if (*waits) {
        seen_ = true;
        left_ = std::nullopt;
    } else if (seen_ && !left_) {
        left_ = now;
    }
}

}  // namespace countersign::runtimes::claude
