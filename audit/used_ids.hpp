// SPDX-License-Identifier: Apache-2.0
// What a walk over the log finds out about requests: the ids that are used, and how the latest of them ended.
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

// The latest requests, so that no id is used again and whoever comes late hears how it ended. As many as a hub
// remembers itself.
class UsedIds {
public:
    void take(const Record& record);
    void close(const Entry& closing, WallTime at);  // one of OpenEnds::closing, which is written now
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
