// SPDX-License-Identifier: Apache-2.0
// The two times of the program. Wall time is for people and records; boot time, which never jumps and counts through
// suspend, is for every deadline and latency.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace countersign {

using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

// CLOCK_BOOTTIME as a clock of its own, so that the compiler refuses to compare it with wall time. Read it through the
// Clock port only.
struct BootClock {
    using rep = std::chrono::milliseconds::rep;
    using period = std::milli;
    using duration = std::chrono::milliseconds;
    using time_point = std::chrono::time_point<BootClock>;
    static constexpr bool is_steady = true;
};
using BootTime = BootClock::time_point;

// 2026-11-16T02:13:03.120Z. Always UTC, always milliseconds, so that text order is time order.
[[nodiscard]] std::string rfc3339(WallTime time);
// Reads exactly what rfc3339 writes.
[[nodiscard]] std::optional<WallTime> wall_time_of(std::string_view text);

// Unix seconds, as others write them; nothing past the year 9999, which rfc3339 could not write.
[[nodiscard]] std::optional<WallTime> wall_time_of_seconds(std::uint64_t seconds);

}  // namespace countersign
