// SPDX-License-Identifier: Apache-2.0
// When people are reminded of a request that still waits. Pure: the hub brings the time.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace countersign {

// How long to wait before the next reminder, counted from the last one, or from when it was shown. `wish` is the
// route's: zero for never, nothing for reminder_first where the request has no deadline that ends it anyway. Each wait
// is twice the one before, up to reminder_interval_max or the wish itself if that is longer; reminders_max in all.
//
// Counted from the last one and not from the beginning, so that a machine that slept sends one, not all that it missed.
[[nodiscard]] std::optional<std::chrono::milliseconds> next_reminder(std::optional<std::chrono::milliseconds> wish,
                                                                     bool has_deadline, std::size_t sent);

}  // namespace countersign
