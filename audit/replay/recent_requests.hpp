// SPDX-License-Identifier: Apache-2.0
// RecentRequests: recently used request ids, and how those requests ended.
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

// The outcome in a `decision` or `ended` record.
[[nodiscard]] Outcome outcome_of(const Record& terminal);

// Tracks the latest requests, so that no id is reused and a late decision learns how the request ended. Remembers as
// many as a running hub does.
class RecentRequests {
public:
    void take(const Record& record);
    // An entry from UnfinishedRequests::close, which is being written.
    void close(const LogEntry& closing, WallTime at);
    [[nodiscard]] std::vector<Ulid> ids() const { return {latest_.begin(), latest_.end()}; }
    // Oldest first. Requests without an end are not included.
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
