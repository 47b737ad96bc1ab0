// SPDX-License-Identifier: Apache-2.0
// Replay: reads every valid record of a log once, at the start, and collects the state that outlives the process.
#pragma once

#include "audit/record.hpp"
#include "audit/replay/recent_requests.hpp"
#include "audit/replay/stale_messages.hpp"
#include "audit/replay/unfinished_requests.hpp"
#include "core/halts.hpp"
#include "core/ports/earlier.hpp"
#include "core/ports/ledger.hpp"

#include <deque>
#include <set>
#include <string>
#include <vector>

namespace countersign::audit {

// The deliveries that decided, voted or ordered something, so that none of them takes effect twice (I5). Keeps the
// latest, over all channels.
class HandledDeliveries {
public:
    void take(const Record& record);
    [[nodiscard]] std::vector<HandledDelivery> deliveries() const { return {latest_.begin(), latest_.end()}; }

private:
    std::deque<HandledDelivery> latest_;  // oldest first
};

// The agents and sessions that are halted, so that a restart doesn't resume them.
class ActiveHalts {
public:
    void take(const Record& record);
    [[nodiscard]] std::vector<Halt> halts() const { return halts_.all(); }

private:
    Halts halts_;
};

// The state that a new process starts with.
struct Replayed {
    std::vector<Ulid> used_ids;                  // of the latest requests
    std::vector<EndedRequest> ended;             // those of them that ended
    std::vector<Orphan> orphans;                 // still open: their agents may ask again (I12)
    std::vector<HandledDelivery> handled;        // the latest
    std::vector<EarlierMessage> stale_messages;  // still have buttons although their requests ended
    std::vector<Halt> halts;
};

class Replay {
public:
    void take(const Record& record);
    // Ends the requests whose agents died with the process, and returns the records that say so; see
    // UnfinishedRequests::close. `at` is the time of those records.
    [[nodiscard]] std::vector<LogEntry> close(const std::set<std::string>& unlogged, WallTime at);
    // Call it after close(). `now` converts times of earlier boots to the clock of this one.
    [[nodiscard]] Replayed finish(const Stamp& now);

private:
    UnfinishedRequests unfinished_;
    RecentRequests recent_;
    HandledDeliveries handled_;
    StaleMessages stale_;
    ActiveHalts halts_;
};

}  // namespace countersign::audit
