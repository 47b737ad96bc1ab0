// SPDX-License-Identifier: Apache-2.0
// Silence: for how long nothing was written, and whether the log says why.
//
// A hub that runs writes a `heartbeat` where nothing else happens, so that two intervals at most lie between two
// records. A longer time is explained by a `stop` before it; else the hub was killed, the machine slept, or somebody
// kept it from writing.
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
    std::optional<Span> longest;    // nothing where none took as long as review_pause_min
    std::vector<Span> unexplained;  // longest first
    struct Last {
        WallTime at;
        std::chrono::milliseconds age{};  // not below zero, whatever the clocks say
        bool stopped = false;
    };
    std::optional<Last> last;  // of the whole log; nothing where it is empty
};
// Of the times that have a part in the filter's, whole: what is asked for may lie in the middle of one. Agents and
// tools are not looked at: silence is the log's.
[[nodiscard]] Silence silence(const Catalogue& catalogue, const Filter& filter, WallTime now);
[[nodiscard]] json::Object json_of(const Silence& silence);

}  // namespace countersign::audit::review
