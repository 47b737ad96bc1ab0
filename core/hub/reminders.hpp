// SPDX-License-Identifier: Apache-2.0
// When people are reminded of a request that still waits. Pure: the hub passes in the time.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace countersign {

// How long to wait before the next reminder, counted from the last one or, for the first, from when the request was
// shown. `wish` is the route's setting: zero means never; nullopt means reminder_first, but only for a request without
// a deadline. Each wait is twice the one before, up to reminder_interval_max or the wish, if that is longer. There are
// at most reminders_max.
//
// Counting from the last reminder makes a machine that slept send one reminder, not all that it missed.
[[nodiscard]] std::optional<std::chrono::milliseconds> next_reminder(std::optional<std::chrono::milliseconds> wish,
                                                                     bool has_deadline, std::size_t sent);

}  // namespace countersign
