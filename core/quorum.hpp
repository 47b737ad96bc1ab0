// SPDX-License-Identifier: Apache-2.0
// Quorum: how many different people must allow. One deny ends the vote; if the allows differ, the narrowest is used.
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

// The effect of one more allow. `votes` are already on disk.
struct Tally {
    bool complete = false;
    std::uint32_t have = 0;  // including this one
    std::uint32_t need = 1;
    std::string option_id;  // the narrowest scope of all votes including this one; the first if several are equal
};
// Fails with Errc::already_voted if this person has voted already, even through another principal.
[[nodiscard]] Result<Tally> tally(const std::vector<Vote>& votes, const Vote& next, std::uint32_t required,
                                  const std::vector<Option>& options);

}  // namespace countersign
