// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/tool_uses.hpp"

#include "core/limits.hpp"
#include "core/risk.hpp"

#include <utility>

namespace countersign::runtimes::claude {

bool ToolUses::ran(const Use& use, ToolResult::End end) {
    using End = ToolResult::End;
    if (end == End::done) return true;
    if (end == End::not_run || use.state == State::withdrawn) return false;
    const auto tool_class = tool_class_of(use.wish.tool_name);
    // Commands, MCP servers and unknown tools choose their own result text.
    if (end == End::own_error) return tool_class == ToolClass::execute || tool_class == ToolClass::other;
    return tool_class != ToolClass::read && tool_class != ToolClass::edit;
}

void ToolUses::wanted(const std::string& id, Wish wish) {
    if (id.empty() || id.size() > limits::native_id_bytes_max) return;
    if (wish.tool_name.size() > limits::tool_name_bytes_max) return;
    const auto [use, is_new] = uses_.try_emplace(id);
    if (is_new || use->second.wish.summary.empty()) use->second.wish = std::move(wish);
    if (!is_new) return;
    order_.push_back(id);
    if (order_.size() <= limits::tool_uses_kept_max) return;
    uses_.erase(order_.front());
    order_.pop_front();
}

void ToolUses::asked(const std::string& id, Wish wish) {
    wanted(id, std::move(wish));  // the call may ask before its message arrives
    set(id, State::asked);
}

void ToolUses::withdrawn(const std::string& id) { set(id, State::withdrawn); }

void ToolUses::set(const std::string& id, State state) {
    const auto found = uses_.find(id);
    if (found != uses_.end()) found->second.state = state;
}

std::optional<ToolUses::Wish> ToolUses::finished(const std::string& id, ToolResult::End end) {
    const auto found = uses_.find(id);
    if (found == uses_.end()) return std::nullopt;
    auto use = std::move(found->second);
    uses_.erase(found);
    if (use.state == State::asked || !ran(use, end)) return std::nullopt;
    return std::move(use.wish);
}

}  // namespace countersign::runtimes::claude
