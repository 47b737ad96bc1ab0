// SPDX-License-Identifier: Apache-2.0
// RecentRequests: the ids that are used, and how the latest requests ended.
#pragma once

#include "audit/record.hpp"
#include "core/ports/earlier.hpp"
#include "core/ports/ledger.hpp"

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace countersign::audit {

// Of a `decision` or an `ended`.
[[nodiscard]] Outcome outcome_of(const Record& terminal);

// The latest requests, so that no id is used again and a late decision is told how the request ended. As many as a hub
// remembers itself.
class RecentRequests {
public:
    void take(const Record& record);
    void close(const LogEntry& closing, WallTime at);  // one of UnfinishedRequests::close, which is written now
    [[nodiscard]] std::vector<Ulid> ids() const { return {latest_.begin(), latest_.end()}; }
    // Oldest first. Of those that have no end there are none here.
    [[nodiscard]] std::vector<EndedRequest> ended() const;

private:
    struct Used {
        std::string agent_id;
        std::string args_hash;
        std::optional<Winner> winner;
    };
    std::deque<Ulid> latest_;  // oldest first
    std::unordered_map<Ulid, Used> used_;
};

}  // namespace countersign::audit
