// SPDX-License-Identifier: Apache-2.0
// Fresh: signed at most signature_age_max before or after now, and not before this process started (I5).
//
// The second bound is what makes a replay guard in memory enough: what a process before us accepted is stale for us. It
// is exact to the clocks of both sides, and costs the deliveries signed in the second of the start.
#pragma once

#include "core/result.hpp"
#include "core/time.hpp"

#include <string_view>

namespace countersign::security {

struct FreshnessWindow {
    WallTime now;
    WallTime started;  // of this process
};

// Unix seconds in ASCII digits: no sign, blank, fraction or leading zero, at most ten digits.
[[nodiscard]] Result<WallTime> parse_unix_seconds(std::string_view text);

// Errc::stale with the age in words.
[[nodiscard]] Result<void> check_fresh(WallTime signed_at, const FreshnessWindow& window);

}  // namespace countersign::security
