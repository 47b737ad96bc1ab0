// SPDX-License-Identifier: Apache-2.0
#include "core/time.hpp"

#include <charconv>
#include <cstddef>

namespace countersign {

// Written by hand for speed, because each record has a timestamp. A year has four digits here.
std::string rfc3339(WallTime time) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss clock{time - day};
    std::string text = "0000-00-00T00:00:00.000Z";
    const auto put = [&text](std::size_t at, std::size_t digits, auto number) {
        auto rest = static_cast<unsigned>(number);
        for (auto i = at + digits; i-- > at; rest /= 10) text[i] = static_cast<char>('0' + rest % 10);
    };
    put(0, 4, static_cast<int>(date.year()));
    put(5, 2, static_cast<unsigned>(date.month()));
    put(8, 2, static_cast<unsigned>(date.day()));
    put(11, 2, clock.hours().count());
    put(14, 2, clock.minutes().count());
    put(17, 2, clock.seconds().count());
    put(20, 3, clock.subseconds().count());
    return text;
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
    if (rfc3339(time) != text) return std::nullopt;  // another spelling, or a part out of range
    return time;
}

std::optional<WallTime> wall_time_of_seconds(std::uint64_t seconds) {
    constexpr std::uint64_t last = 253'402'300'799;
    if (seconds > last) return std::nullopt;
    return WallTime{std::chrono::seconds{static_cast<std::int64_t>(seconds)}};
}

}  // namespace countersign
