// SPDX-License-Identifier: Apache-2.0
#include "core/hub/pending_table.hpp"

#include "core/limits.hpp"

#include <utility>

namespace countersign {

Pending* PendingTable::find(const Ulid& id) {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &found->second;
}

const Pending* PendingTable::find(const Ulid& id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &found->second;
}

void PendingTable::add(Pending open) {
    ++of_agent_[open.request->agent_id];
    const auto id = open.request->id;
    by_id_.emplace(id, std::move(open));
}

Pending PendingTable::take(const Ulid& id) {
    auto taken = std::move(by_id_.extract(id).mapped());
    const auto count = of_agent_.find(taken.request->agent_id);
    if (--count->second == 0) of_agent_.erase(count);
    return taken;
}

Result<void> PendingTable::check_room_for(const std::string& agent_id) const {
    if (by_id_.size() >= limits::pending_requests_max) return Error{Errc::busy, "too many requests are pending"};
    const auto count = of_agent_.find(agent_id);
    if (count != of_agent_.end() && count->second >= limits::pending_per_agent_max) {
        return Error{Errc::busy, "too many requests of this agent are pending"};
    }
    return {};
}

}  // namespace countersign
