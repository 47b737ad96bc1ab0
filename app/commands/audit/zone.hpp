// SPDX-License-Identifier: Apache-2.0
// Times for people: in this machine's zone, always with its name or offset. Programs get UTC.
#pragma once

#include "app/command_line/command.hpp"
#include "audit/record.hpp"
#include "core/time.hpp"

#include <chrono>
#include <string>

namespace countersign::app {

enum class Zone { local, utc };  // local: from TZ or /etc/localtime

// Adds --utc.
void add_utc_option(Command& command, bool& utc);
[[nodiscard]] inline Zone zone_of(bool utc) { return utc ? Zone::utc : Zone::local; }

// The day of this time, as a number of days without a zone.
[[nodiscard]] std::chrono::sys_days day_in(Zone zone, WallTime time);
// When this day began.
[[nodiscard]] WallTime beginning_of(Zone zone, std::chrono::sys_days day);
// 04:14:07
[[nodiscard]] std::string clock_in(Zone zone, WallTime time);
// "CET", "UTC", "+0530"
[[nodiscard]] std::string name_of(Zone zone, WallTime time);
// "2026-11-16 04:14:07 CET"
[[nodiscard]] std::string moment_in(Zone zone, WallTime time);
// RFC 3339, to the second: "2026-11-16T04:14:07+01:00", or "2026-11-16T03:14:07Z" for UTC.
[[nodiscard]] std::string stamp_in(Zone zone, WallTime time);

// A record on one line, with its time from stamp_in.
[[nodiscard]] std::string print_in(Zone zone, const audit::Record& record);

}  // namespace countersign::app
