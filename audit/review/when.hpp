// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.hpp"
#include "core/time.hpp"

#include <string_view>

namespace countersign::audit::review {

// A moment as a reviewer writes it: "90s", "15m", "24h", "30d", "2w" ago; "2026-11-01", the beginning of that day in
// UTC; or RFC 3339 ("2026-11-01T12:30:00+02:00"). Errc::malformed names these forms.
[[nodiscard]] Result<WallTime> moment_of(std::string_view text, WallTime now);
// True for "2026-11-01", which another zone begins at another moment.
[[nodiscard]] bool is_day(std::string_view text);

}  // namespace countersign::audit::review
