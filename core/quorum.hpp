// SPDX-License-Identifier: Apache-2.0
// Quorum: how many different people must allow. One deny ends it; differing allows end in the narrowest.
#pragma once

#include "core/option.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace countersign {

struct Vote {
    std::string person;
    std::string option_id;
    std::uint64_t seq = 0;  // of its record
    friend bool operator==(const Vote&, const Vote&) = default;
};

// What one more allow does. `votes` are on disk already.
struct Tally {
    bool complete = false;
    std::uint32_t have = 0;  // with this one
    std::uint32_t need = 1;
    std::string option_id;  // of all votes and this one, the narrowest scope; the first of equals
};
// Errc::already_voted if this person's vote is among them, whatever the principal it came by.
[[nodiscard]] Result<Tally> tally(const std::vector<Vote>& votes, const Vote& next, std::uint32_t required,
                                  const std::vector<Option>& options);

}  // namespace countersign
