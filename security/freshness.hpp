// SPDX-License-Identifier: Apache-2.0
// Freshness: signed at most signature_age_max before or after now, and not before this process started (I5).
//
// Because of the second bound, a replay guard in memory is enough: a delivery that an earlier process accepted is stale
// for this one. It is as exact as the clocks of both sides, and refuses deliveries signed in the second of the start.
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

// Errc::stale, with the age in the detail.
[[nodiscard]] Result<void> check_fresh(WallTime signed_at, const FreshnessWindow& window);

}  // namespace countersign::security
