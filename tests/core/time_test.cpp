// SPDX-License-Identifier: Apache-2.0
#include "core/time.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

using namespace std::chrono_literals;
using std::chrono::sys_days;

TEST(Time, PrintsUtcWithMilliseconds) {
    EXPECT_EQ(rfc3339(WallTime{}), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(rfc3339(sys_days{2026y / 11 / 16} + 2h + 13min + 3s + 120ms), "2026-11-16T02:13:03.120Z");
    EXPECT_EQ(rfc3339(sys_days{2024y / 2 / 29} + 23h + 59min + 59s + 999ms), "2024-02-29T23:59:59.999Z");
    EXPECT_EQ(rfc3339(sys_days{9999y / 12 / 31} + 0ms), "9999-12-31T00:00:00.000Z");
}

TEST(Time, TimesBeforeTheEpochHaveTheRightDay) {
    EXPECT_EQ(rfc3339(WallTime{-1ms}), "1969-12-31T23:59:59.999Z");
    EXPECT_EQ(rfc3339(sys_days{1900y / 3 / 1} - 1ms), "1900-02-28T23:59:59.999Z");
}

TEST(Time, TextOrderIsTimeOrder) {
    auto before = rfc3339(WallTime{});
    for (WallTime time{}; time < sys_days{2038y / 1 / 20}; time += 17 * 24h + 7h + 11min + 13s + 17ms) {
        const auto now = rfc3339(time);
        ASSERT_EQ(now.size(), 24U);
        ASSERT_LE(before, now);
        before = now;
    }
}

TEST(Time, ATimeIsReadBackAsWrittenAndOtherTextIsRefused) {
    const WallTime time{sys_days{2026y / 2 / 28} + 23h + 59min + 58s + 7ms};
    EXPECT_EQ(wall_time_of(rfc3339(time)), time);
    EXPECT_EQ(wall_time_of(rfc3339(WallTime{})), WallTime{});
    for (const auto* bad : {"", "2026-02-30T00:00:00.000Z", "2026-02-28T24:00:00.000Z", "2026-02-28T23:59:58.007z",
                            "2026-02-28 23:59:58.007Z", "2026-02-28T23:59:58.07Z", "2026-02-28T23:59:-8.007Z",
                            "xxxx-02-28T23:59:58.007Z"}) {
        EXPECT_FALSE(wall_time_of(bad)) << bad;
    }
}

template <class Left, class Right>
concept Comparable = requires(Left left, Right right) { left < right; };
template <class Left, class Right>
concept Subtractable = requires(Left left, Right right) { left - right; };

TEST(Time, I13_SecondsFromOutsideAreAcceptedUpToTheYear9999) {
    EXPECT_EQ(rfc3339(*wall_time_of_seconds(0)), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(rfc3339(*wall_time_of_seconds(253'402'300'799)), "9999-12-31T23:59:59.000Z");
    EXPECT_FALSE(wall_time_of_seconds(253'402'300'800));
    EXPECT_FALSE(wall_time_of_seconds(~std::uint64_t{0}));
}

// A deadline in wall time would jump with the clock, so comparing the two must not compile.
TEST(Time, WallTimeAndBootTimeDoNotMix) {
    EXPECT_TRUE((Comparable<BootTime, BootTime>));
    EXPECT_FALSE((Comparable<WallTime, BootTime>));
    EXPECT_FALSE((Subtractable<BootTime, WallTime>));
}

}  // namespace
}  // namespace countersign
