// SPDX-License-Identifier: Apache-2.0
// EndedRequests: how the latest requests ended, to answer late attempts, and which ids are already used. Entirely
// passive. Above concluded_kept_max the oldest is forgotten.
#pragma once

#include "core/ports/ledger.hpp"
#include "core/request.hpp"
#include "core/result.hpp"
#include "core/time.hpp"
#include "core/ulid.hpp"

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace countersign {

// "already denied by alice on ops 12 s ago"
[[nodiscard]] Error already_decided(const Winner& winner, WallTime now);
// Errc::conflict: the id was used for another call.
[[nodiscard]] Error used_for_another_call(const Ulid& id);

class EndedRequests {
public:
    struct Ended {
        std::string agent_id;
        std::string args_hash;
        Winner winner;
    };
    void remember(const Ulid& id, Ended ended);
    // Ids that the log already contains. An id is decided only once, even across a restart (I15).
    void remember_used(const std::vector<Ulid>& ids) { used_.insert(ids.begin(), ids.end()); }

    [[nodiscard]] const Winner* winner_of(const Ulid& id) const;
    // Errc::already_decided for a request that has ended, Errc::conflict if its id was used for something else.
    [[nodiscard]] Result<void> check_new(const Request& request, WallTime now) const;
    // The same for ids of earlier processes, of which only the id is known.
    [[nodiscard]] Result<void> check_unused(const Ulid& id) const;

private:
    std::unordered_map<Ulid, Ended> by_id_;
    std::deque<Ulid> order_;
    std::unordered_set<Ulid> used_;
};

}  // namespace countersign
