// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.hpp"
#include "core/time.hpp"

#include <string_view>

namespace countersign::audit::review {

// Parses a time as a reviewer writes it: "90s", "15m", "24h", "30d" or "2w" ago; "2026-11-01", the beginning of that
// day in UTC; or RFC 3339 ("2026-11-01T12:30:00+02:00"). Errc::malformed lists these forms.
[[nodiscard]] Result<WallTime> moment_of(std::string_view text, WallTime now);
// True for "2026-11-01", which begins at another time in another time zone.
[[nodiscard]] bool is_day(std::string_view text);

}  // namespace countersign::audit::review
