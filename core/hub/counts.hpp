// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/outcome.hpp"

#include <array>
#include <cstdint>

namespace countersign {

// What the hub did since the start. Only ever grows; a metric is the difference of two looks at it.
struct Counts {
    std::array<std::uint64_t, static_cast<std::size_t>(Outcome::indeterminate) + 1> ended{};  // by outcome
    std::uint64_t refused = 0;      // attempts and orders that did nothing
    std::uint64_t turned_away = 0;  // requests that never were open
    std::uint64_t delayed = 0;      // cards that the route did not wait for
};

}  // namespace countersign
