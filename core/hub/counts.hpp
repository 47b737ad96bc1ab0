// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/outcome.hpp"

#include <array>
#include <cstdint>

namespace countersign {

// Totals since the start. They only grow; a metric is the difference between two readings.
struct Counts {
    std::array<std::uint64_t, static_cast<std::size_t>(Outcome::indeterminate) + 1> ended{};  // by outcome
    std::uint64_t refused = 0;      // attempts and orders without effect
    std::uint64_t turned_away = 0;  // requests that were never open
    std::uint64_t delayed = 0;      // cards that were late, so the route continued without them
};

}  // namespace countersign
