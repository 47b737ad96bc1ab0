// SPDX-License-Identifier: Apache-2.0
#include "core/hub/reminders.hpp"

#include "core/limits.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

using namespace std::chrono_literals;

TEST(Reminders, AreOnByDefaultAndOffForRoutesWithATimeout) {
    EXPECT_EQ(next_reminder({}, false, 0), limits::reminder_first);
    EXPECT_EQ(next_reminder({}, true, 0), std::nullopt);
    EXPECT_EQ(next_reminder(15min, true, 0), 15min);
    EXPECT_EQ(next_reminder(0ms, false, 0), std::nullopt) << "never";
}

TEST(Reminders, I13_TheIntervalDoublesUpToABoundAndTheirNumberIsBounded) {
    EXPECT_EQ(next_reminder(15min, false, 1), 30min);
    EXPECT_EQ(next_reminder(15min, false, 2), 1h);
    EXPECT_EQ(next_reminder(15min, false, 3), limits::reminder_interval_max);
    EXPECT_EQ(next_reminder(15min, false, 4), limits::reminder_interval_max);
    EXPECT_EQ(next_reminder(24h, false, 1), 24h) << "what the route wishes is not made shorter";
    EXPECT_TRUE(next_reminder({}, false, limits::reminders_max - 1));
    EXPECT_FALSE(next_reminder({}, false, limits::reminders_max));
}

}  // namespace
}  // namespace countersign
