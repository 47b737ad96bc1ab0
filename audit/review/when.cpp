// SPDX-License-Identifier: Apache-2.0
#include "audit/review/when.hpp"

#include <charconv>
#include <optional>

namespace countersign::audit::review {
namespace {

using namespace std::chrono;

constexpr std::size_t count_digits_max = 6;  // of "24h": more digits would reach back before any log

std::optional<int> number(std::string_view digits) {
    int value = 0;
    const std::string text{digits};
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{}) return std::nullopt;
    return value;
}

std::optional<milliseconds> unit_of(char letter) {
    switch (letter) {
    case 's':
        return seconds{1};
    case 'm':
        return minutes{1};
    case 'h':
        return hours{1};
    case 'd':
        return days{1};
    case 'w':
        return weeks{1};
    default:
        return std::nullopt;
    }
}

std::optional<WallTime> ago(std::string_view text, WallTime now) {
    if (text.size() < 2 || text.size() > count_digits_max + 1) return std::nullopt;
    const auto unit = unit_of(text.back());
    const auto count = number(text.substr(0, text.size() - 1));
    if (!unit || !count) return std::nullopt;
    return now - *count * *unit;
}

// "Z", or the offset to subtract, e.g. "+02:00".
std::optional<minutes> offset_of(std::string_view zone) {
    if (zone == "Z" || zone == "z") return minutes{0};
    if (zone.size() != 6 || zone[3] != ':' || (zone[0] != '+' && zone[0] != '-')) return std::nullopt;
    const auto whole = number(zone.substr(1, 2));
    const auto rest = number(zone.substr(4, 2));
    if (!whole || !rest || *whole > 23 || *rest > 59) return std::nullopt;
    const auto offset = hours{*whole} + minutes{*rest};
    return zone[0] == '+' ? offset : -offset;
}

// Precise to milliseconds, like the log; finer digits are cut off.
std::optional<WallTime> rfc3339_moment(std::string_view text) {
    if (text.size() < 20 || (text[10] != 'T' && text[10] != 't' && text[10] != ' ')) return std::nullopt;
    auto zone = text.substr(19);
    std::string fraction = "000";
    if (zone.starts_with('.')) {
        const auto end = zone.find_first_not_of("0123456789", 1);
        if (end == std::string_view::npos || end == 1) return std::nullopt;
        fraction = (std::string{zone.substr(1, end - 1)} + "00").substr(0, 3);
        zone.remove_prefix(end);
    }
    const auto offset = offset_of(zone);
    const auto time =
        wall_time_of(std::string{text.substr(0, 10)} + "T" + std::string{text.substr(11, 8)} + "." + fraction + "Z");
    if (!offset || !time) return std::nullopt;
    return *time - *offset;
}

}  // namespace

bool is_day(std::string_view text) { return wall_time_of(std::string{text} + "T00:00:00.000Z").has_value(); }

Result<WallTime> moment_of(std::string_view text, WallTime now) {
    if (const auto before = ago(text, now)) return *before;
    if (const auto day = wall_time_of(std::string{text} + "T00:00:00.000Z")) return *day;
    if (const auto moment = rfc3339_moment(text)) return *moment;
    return Error{Errc::malformed, "write a time as 90s, 15m, 24h, 30d, 2026-11-01 or 2026-11-01T12:30:00Z"};
}

}  // namespace countersign::audit::review
