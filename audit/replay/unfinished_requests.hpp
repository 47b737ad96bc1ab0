// SPDX-License-Identifier: Apache-2.0
// UnfinishedRequests: the requests that are open at a point of the log. Its memory grows with those that are open at
// once, not with the log.
#pragma once

#include "audit/record.hpp"
#include "core/outcome.hpp"
#include "core/ports/earlier.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace countersign::audit {

// Of one of UnfinishedRequests::close whose kind is `ended`.
[[nodiscard]] Outcome outcome_of(const LogEntry& closing);

class UnfinishedRequests {
public:
    void take(const Record& record);
    // Closes what died with its process, and returns the records that say so, in the order of the requests: a decision
    // that the agent may not have received becomes `indeterminate`, a request without an end `lost`, except orphans.
    // Those in `unlogged` were refused without a record of it, orphans or not.
    [[nodiscard]] std::vector<LogEntry> close(const std::set<std::string>& unlogged = {});
    // The requests without an end whose agents are in other processes, and may show them again (I12). `now` says how
    // their times read on the clock of this boot. StaleMessages has their messages.
    [[nodiscard]] std::vector<Orphan> orphans(const Stamp& now) const;

private:
    struct Open {
        bool sidecar = false;
        Orphan orphan;
        WallTime ts;
        BootTime mono;
        std::string boot_id;
    };
    void begin(const Record& record, std::string_view id);
    void shown_as(std::string_view id, std::uint64_t generation);
    void required_by(std::string_view id, std::uint64_t people);

    std::map<std::string, Open, std::less<>> requests_;            // without a terminal record
    std::map<std::string, std::uint64_t, std::less<>> decisions_;  // not known to be forwarded, with their seq
};

}  // namespace countersign::audit
