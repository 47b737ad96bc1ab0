// SPDX-License-Identifier: Apache-2.0
// Silence: how long the log had no records, and whether it says why.
//
// A running and otherwise idle hub writes a `heartbeat`, so consecutive records are at most two intervals apart. A
// longer gap is explained by a `stop` record before it. Otherwise the hub was killed, the machine slept, or an attacker
// kept the hub from writing.
#pragma once

#include "audit/review/catalogue.hpp"
#include "audit/review/filter.hpp"
#include "core/json/value.hpp"
#include "core/time.hpp"

#include <optional>
#include <vector>

namespace countersign::audit::review {

struct Silence {
    // Without an end: from the last record until now.
    struct Span {
        WallTime from;
        std::optional<WallTime> to;
        std::chrono::milliseconds lasted{};
        bool stopped = false;
    };
    std::optional<Span> longest;    // empty if no pause reached review_pause_min
    std::vector<Span> unexplained;  // longest first
    struct Last {
        WallTime at;
        std::chrono::milliseconds age{};  // never negative, whatever the clocks say
        bool stopped = false;
    };
    std::optional<Last> last;  // of the whole log; empty if the log is
};
// Reports the pauses that overlap the filter's time range, in full. Ignores the filter's agents and tools: silence
// concerns the whole log.
[[nodiscard]] Silence silence(const Catalogue& catalogue, const Filter& filter, WallTime now);
[[nodiscard]] json::Object json_of(const Silence& silence);

}  // namespace countersign::audit::review
