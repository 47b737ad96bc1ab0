// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/tool_uses.hpp"

#include "core/limits.hpp"

#include <utility>

namespace countersign::runtimes::claude {

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
    wanted(id, std::move(wish));  // it may ask before its message is out
    set(id, State::asked);
}

void ToolUses::withdrawn(const std::string& id) { set(id, State::withdrawn); }

void ToolUses::set(const std::string& id, State state) {
    const auto found = uses_.find(id);
    if (found != uses_.end()) found->second.state = state;
}

std::optional<ToolUses::Wish> ToolUses::finished(const std::string& id, bool failed) {
    const auto found = uses_.find(id);
    if (found == uses_.end()) return std::nullopt;
    auto use = std::move(found->second);
    uses_.erase(found);
    if (use.state == State::asked || (use.state == State::withdrawn && failed)) return std::nullopt;
    return std::move(use.wish);
}

}  // namespace countersign::runtimes::claude
