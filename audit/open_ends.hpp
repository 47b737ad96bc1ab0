// SPDX-License-Identifier: Apache-2.0
// What a walk over the log finds out about requests: which are open at its end.
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

// Of one of OpenEnds::closing whose kind is `ended`.
[[nodiscard]] Outcome outcome_of(const Entry& closing);

// What is open at a point of the log. It holds as much as was open at once, however long the log is.
class OpenEnds {
public:
    void take(const Record& record);
    // The records that close what died with its process, in the order of the requests: a decision of which nobody knows
    // whether the agent heard it becomes `indeterminate`, a request without an end `lost`, but for orphans. Those in
    // `unlogged` were refused without a record of it, orphans or not.
    [[nodiscard]] std::vector<Entry> closing(const std::set<std::string>& unlogged = {}) const;
    // The requests without an end whose agents are in other processes, and may show them again (I12). `now` says how
    // their times read on the clock of this boot. Their messages are LeftShown's.
    [[nodiscard]] std::vector<Orphan> orphans(const Stamp& now, const std::set<std::string>& unlogged = {}) const;

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
