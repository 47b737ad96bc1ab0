// SPDX-License-Identifier: Apache-2.0
#include "app/commands/audit/zone.hpp"

#include "audit/print.hpp"
#include "security/display/display.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <ctime>

namespace countersign::app {
namespace {

struct Offset {
    std::chrono::seconds east{0};
    std::string name = "UTC";
};

Offset offset_of(Zone zone, WallTime time) {
    if (zone == Zone::utc) return {};
    const auto seconds =
        static_cast<std::time_t>(std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count());
    std::tm parts{};
    ::tzset();
    if (::localtime_r(&seconds, &parts) == nullptr) return {};
    const std::string_view name = parts.tm_zone == nullptr ? "" : parts.tm_zone;
    return {std::chrono::seconds{parts.tm_gmtoff}, security::display(name, security::DisplayMode::line)};
}

// "2026-11-16T04:14:07.120Z", but with the local clock's digits.
std::string civil(const Offset& offset, WallTime time) { return rfc3339(time + offset.east); }

}  // namespace

void add_utc_option(Command& command, bool& utc) {
    command.flag("--utc", utc, "Print times in UTC, not in this machine's time zone");
}

std::chrono::sys_days day_in(Zone zone, WallTime time) {
    return std::chrono::floor<std::chrono::days>(time + offset_of(zone, time).east);
}

WallTime beginning_of(Zone zone, std::chrono::sys_days day) {
    const std::chrono::year_month_day date{day};
    if (zone == Zone::utc) return WallTime{day.time_since_epoch()};
    std::tm parts{};
    parts.tm_year = static_cast<int>(date.year()) - 1900;
    parts.tm_mon = static_cast<int>(static_cast<unsigned>(date.month())) - 1;
    parts.tm_mday = static_cast<int>(static_cast<unsigned>(date.day()));
    parts.tm_isdst = -1;
    ::tzset();
    return WallTime{std::chrono::seconds{std::mktime(&parts)}};
}

std::string clock_in(Zone zone, WallTime time) { return civil(offset_of(zone, time), time).substr(11, 8); }

std::string name_of(Zone zone, WallTime time) { return offset_of(zone, time).name; }

std::string moment_in(Zone zone, WallTime time) {
    const auto offset = offset_of(zone, time);
    const auto text = civil(offset, time);
    return text.substr(0, 10) + " " + text.substr(11, 8) + " " + offset.name;
}

std::string stamp_in(Zone zone, WallTime time) {
    const auto offset = offset_of(zone, time);
    const auto text = civil(offset, time).substr(0, 19);
    if (offset.name == "UTC") return text + "Z";
    const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(offset.east).count();
    return fmt::format("{}{}{:02}:{:02}", text, minutes < 0 ? '-' : '+', std::abs(minutes) / 60,
                       std::abs(minutes) % 60);
}

std::string print_in(Zone zone, const audit::Record& record) {
    const auto time = wall_time_of(record.text("ts"));
    return time ? audit::print(record, stamp_in(zone, *time)) : audit::print(record);
}

}  // namespace countersign::app
