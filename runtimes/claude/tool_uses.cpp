// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/tool_uses.hpp"

#include "core/limits.hpp"

namespace countersign::runtimes::claude {

void ToolUses::wanted(const std::string& id, const std::string& tool_name) {
    if (id.empty() || id.size() > limits::native_id_bytes_max || tool_name.size() > limits::tool_name_bytes_max) return;
    if (!uses_.emplace(id, Use{.tool_name = tool_name}).second) return;
    order_.push_back(id);
    if (order_.size() <= limits::tool_uses_kept_max) return;
    uses_.erase(order_.front());
    order_.pop_front();
}

void ToolUses::asked(const std::string& id, const std::string& tool_name) {
    wanted(id, tool_name);  // it may ask before its message is out
    set(id, State::asked);
}

void ToolUses::withdrawn(const std::string& id) { set(id, State::withdrawn); }

void ToolUses::set(const std::string& id, State state) {
    const auto found = uses_.find(id);
    if (found != uses_.end()) found->second.state = state;
}

std::optional<std::string> ToolUses::finished(const std::string& id, bool failed) {
    const auto found = uses_.find(id);
    if (found == uses_.end()) return std::nullopt;
    auto use = std::move(found->second);
    uses_.erase(found);
    if (use.state == State::asked || (use.state == State::withdrawn && failed)) return std::nullopt;
    return std::move(use.tool_name);
}

}  // namespace countersign::runtimes::claude
