// SPDX-License-Identifier: Apache-2.0
// UnfinishedRequests: the requests that are open at a point of the log. Memory grows with the number of open requests,
// not with the log.
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

// The outcome in an `ended` entry from UnfinishedRequests::close.
[[nodiscard]] Outcome outcome_of(const LogEntry& closing);

class UnfinishedRequests {
public:
    void take(const Record& record);
    // Closes the requests that died with their process, and returns the records that say so, in request order. A
    // decision that the agent may not have received becomes `indeterminate`; a request without an end becomes `lost`,
    // unless it is an orphan. Requests in `unlogged` were refused without a record, orphans included.
    [[nodiscard]] std::vector<LogEntry> close(const std::set<std::string>& unlogged = {});
    // The unfinished requests of agents in other processes, which may ask again (I12). `now` converts their times to
    // the clock of this boot. StaleMessages has their messages.
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

    std::map<std::string, Open, std::less<>> requests_;  // no terminal record yet
    // Decisions not known to be forwarded, with their seq.
    std::map<std::string, std::uint64_t, std::less<>> decisions_;
};

}  // namespace countersign::audit
