// SPDX-License-Identifier: Apache-2.0
// The two kinds of time. Wall time is for people and records. Boot time never jumps and includes suspend; it is used
// for all deadlines and latencies.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace countersign {

using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

// CLOCK_BOOTTIME as a separate clock type, so that it can't be compared with wall time by mistake. Read it only through
// the Clock port.
struct BootClock {
    using rep = std::chrono::milliseconds::rep;
    using period = std::milli;
    using duration = std::chrono::milliseconds;
    using time_point = std::chrono::time_point<BootClock>;
    static constexpr bool is_steady = true;
};
using BootTime = BootClock::time_point;

// 2026-11-16T02:13:03.120Z. Always UTC and with milliseconds, so that sorting the text sorts by time.
[[nodiscard]] std::string rfc3339(WallTime time);
// Accepts exactly what rfc3339 writes.
[[nodiscard]] std::optional<WallTime> wall_time_of(std::string_view text);

// From Unix seconds, as other programs write them. nullopt after the year 9999, which rfc3339 can't write.
[[nodiscard]] std::optional<WallTime> wall_time_of_seconds(std::uint64_t seconds);

}  // namespace countersign
