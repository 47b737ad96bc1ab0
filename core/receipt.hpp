// SPDX-License-Identifier: Apache-2.0
// What the log says of a record, and of a request that it knows the end of.
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
    std::uint64_t size = 0;  // of the tree with this root: more records may have gone along
    // Of a vote below the quorum: how many there are with it, of how many. Else zero.
    std::uint32_t votes = 0;
    std::uint32_t votes_needed = 0;
};

// Who was first.
struct Winner {
    Outcome outcome = Outcome::indeterminate;
    std::string decided_by;
    std::string channel;
    WallTime at;
};

}  // namespace countersign
