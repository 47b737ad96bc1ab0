// SPDX-License-Identifier: Apache-2.0
#include "core/time.hpp"

#include <charconv>
#include <cstdio>

namespace countersign {

std::string rfc3339(WallTime time) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss clock{time - day};
    char text[64];
    const int length =
        std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                      static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
    return {text, static_cast<std::size_t>(length)};
}

std::optional<WallTime> wall_time_of(std::string_view text) {
    if (text.size() != 24) return std::nullopt;
    const auto number = [text](std::size_t at, std::size_t digits) {
        int value = -1;
        const auto* end = text.data() + at + digits;
        return std::from_chars(text.data() + at, end, value).ptr == end ? value : -1;
    };
    const std::chrono::year_month_day date{std::chrono::year{number(0, 4)},
                                           std::chrono::month{static_cast<unsigned>(number(5, 2))},
                                           std::chrono::day{static_cast<unsigned>(number(8, 2))}};
    if (!date.ok()) return std::nullopt;
    const WallTime time{std::chrono::sys_days{date}.time_since_epoch() + std::chrono::hours{number(11, 2)} +
                        std::chrono::minutes{number(14, 2)} + std::chrono::seconds{number(17, 2)} +
                        std::chrono::milliseconds{number(20, 3)}};
    if (rfc3339(time) != text) return std::nullopt;  // another spelling, or a part out of its range
    return time;
}

std::optional<WallTime> wall_time_of_seconds(std::uint64_t seconds) {
    constexpr std::uint64_t last = 253'402'300'799;
    if (seconds > last) return std::nullopt;
    return WallTime{std::chrono::seconds{static_cast<std::int64_t>(seconds)}};
}

}  // namespace countersign
