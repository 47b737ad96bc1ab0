// SPDX-License-Identifier: Apache-2.0
#include "core/hub/ended_requests.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <utility>

namespace countersign {

Error already_decided(const Winner& winner, WallTime now) {
    std::string text = "already " + std::string{name(winner.outcome)};
    if (!winner.decided_by.empty()) text += " by " + winner.decided_by;
    if (!winner.channel.empty()) text += " on " + winner.channel;
    const auto ago = std::chrono::duration_cast<std::chrono::seconds>(now - winner.at);
    text += " " + std::to_string(std::max<std::int64_t>(ago.count(), 0)) + " s ago";
    return {Errc::already_decided, std::move(text)};
}

Error used_for_another_call(const Ulid& id) {
    return {Errc::conflict, "approvalId " + id.str() + " was used for another call"};
}

void EndedRequests::remember(const Ulid& id, Ended ended) {
    if (!by_id_.emplace(id, std::move(ended)).second) return;
    order_.push_back(id);
    if (order_.size() > limits::concluded_kept_max) {
        by_id_.erase(order_.front());
        order_.pop_front();
    }
}

const Winner* EndedRequests::winner_of(const Ulid& id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &found->second.winner;
}

// The request was answered already; a second answer would be a second decision.
Result<void> EndedRequests::check_new(const Request& request, WallTime now) const {
    const auto found = by_id_.find(request.id);
    if (found == by_id_.end()) return {};
    const auto& ended = found->second;
    const bool same = ended.agent_id == request.agent_id && ended.args_hash == request.args_hash.hex;
    return same ? already_decided(ended.winner, now) : used_for_another_call(request.id);
}

Result<void> EndedRequests::check_unused(const Ulid& id) const {
    if (!used_.contains(id)) return {};
    return Error{Errc::conflict, "approvalId " + id.str() + " was used before the hub started; use a new one"};
}

}  // namespace countersign
