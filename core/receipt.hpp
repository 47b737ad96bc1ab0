// SPDX-License-Identifier: Apache-2.0
// What the log says about a record, and about a request that has ended.
#pragma once

#include "core/outcome.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <string>

namespace countersign {

struct Receipt {
    std::uint64_t seq = 0;
    std::string root;        // base64 of the root that covers it
    WallTime at;             // the record's ts
    std::uint64_t size = 0;  // of the tree with this root; other records may be in the same batch
    // For a vote below the quorum: how many votes there are including this one, and how many are needed. Otherwise
    // zero.
    std::uint32_t votes = 0;
    std::uint32_t votes_needed = 0;
};

// The decision that came first.
struct Winner {
    Outcome outcome = Outcome::indeterminate;
    std::string decided_by;
    std::string channel;
    WallTime at;
};

}  // namespace countersign
