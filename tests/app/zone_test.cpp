// SPDX-License-Identifier: Apache-2.0
#include "app/commands/audit/zone.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace countersign::app {
namespace {

using namespace std::chrono;

// Uses its own zone rules, so that no zone data has to be installed: an hour east of UTC, two in summer.
class ZoneTest : public testing::Test {
protected:
    ZoneTest() { ::setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1); }
    ~ZoneTest() override { ::unsetenv("TZ"); }

    static WallTime at(const char* text) { return *wall_time_of(text); }
    const WallTime winter = at("2026-01-15T23:14:07.120Z");
    const WallTime summer = at("2026-07-15T22:14:07.120Z");
};

TEST_F(ZoneTest, TimesAreLocalAndShowTheirZone) {
    EXPECT_EQ(moment_in(Zone::local, winter), "2026-01-16 00:14:07 CET");
    EXPECT_EQ(moment_in(Zone::local, summer), "2026-07-16 00:14:07 CEST");
    EXPECT_EQ(stamp_in(Zone::local, winter), "2026-01-16T00:14:07+01:00");
    EXPECT_EQ(stamp_in(Zone::local, summer), "2026-07-16T00:14:07+02:00");
    EXPECT_EQ(clock_in(Zone::local, winter), "00:14:07");
    EXPECT_EQ(name_of(Zone::local, summer), "CEST");
}

TEST_F(ZoneTest, TimesCanBeInUtc) {
    EXPECT_EQ(moment_in(Zone::utc, winter), "2026-01-15 23:14:07 UTC");
    EXPECT_EQ(stamp_in(Zone::utc, winter), "2026-01-15T23:14:07Z");
    EXPECT_EQ(day_in(Zone::utc, winter), sys_days{2026y / January / 15});
    EXPECT_EQ(beginning_of(Zone::utc, sys_days{2026y / January / 15}), at("2026-01-15T00:00:00.000Z"));
}

TEST_F(ZoneTest, ADayStartsAtLocalMidnight) {
    EXPECT_EQ(day_in(Zone::local, winter), sys_days{2026y / January / 16});
    EXPECT_EQ(beginning_of(Zone::local, sys_days{2026y / January / 16}), at("2026-01-15T23:00:00.000Z"));
    EXPECT_EQ(beginning_of(Zone::local, sys_days{2026y / July / 16}), at("2026-07-15T22:00:00.000Z"));
}

TEST_F(ZoneTest, WesternAndHalfHourOffsetsArePrintedInFull) {
    ::setenv("TZ", "NST3:30", 1);
    EXPECT_EQ(stamp_in(Zone::local, winter), "2026-01-15T19:44:07-03:30");
    ::setenv("TZ", "GMT0", 1);
    EXPECT_EQ(stamp_in(Zone::local, winter), "2026-01-15T23:14:07+00:00") << "as wide as the summer's";
    ::setenv("TZ", "UTC", 1);
    EXPECT_EQ(stamp_in(Zone::local, winter), "2026-01-15T23:14:07Z");
}

}  // namespace
}  // namespace countersign::app
