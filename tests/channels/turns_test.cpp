// SPDX-License-Identifier: Apache-2.0
#include "channels/turns.hpp"

#include <gtest/gtest.h>

#include <random>

namespace countersign::channels {
namespace {

TEST(TurnsTest, TheMostUrgentGoesFirst) {
    const Turns turns;
    EXPECT_EQ(turns.next({true, true, true}), Urgency::approval);
    EXPECT_EQ(turns.next({false, true, true}), Urgency::conclusion);
    EXPECT_EQ(turns.next({false, false, true}), Urgency::other);
}

TEST(TurnsTest, I13_NothingIsPassedOnceMoreThanItMayBe) {
    Turns turns;
    const Turns::Waits waits{true, false, true};
    for (std::size_t i = 0; i < limits::outbox_approvals_in_a_row_max; ++i) {
        EXPECT_EQ(turns.next(waits), Urgency::approval) << i;
        turns.took(Urgency::approval, waits);
    }
    EXPECT_EQ(turns.next(waits), Urgency::other);
}

TEST(TurnsTest, WhatDidNotWaitWasNotPassed) {
    Turns turns;
    for (std::size_t i = 0; i < limits::outbox_approvals_in_a_row_max; ++i) {
        turns.took(Urgency::approval, {true, false, false});
    }
    EXPECT_EQ(turns.next({true, false, true}), Urgency::approval);
}

TEST(TurnsTest, I11_WhateverComesNoUrgencyStarves) {
    std::mt19937 random{3};
    Turns turns;
    ByUrgency<std::size_t> passed{};
    ByUrgency<std::size_t> longest{};
    Turns::Waits waits{};
    for (int step = 0; step < 100'000; ++step) {
        for (auto& one : waits) one = one || random() % 2 == 0;
        if (!waits[0] && !waits[1] && !waits[2]) continue;
        const auto urgency = turns.next(waits);
        ASSERT_TRUE(waits[index_of(urgency)]) << "a turn for nobody";
        turns.took(urgency, waits);
        for (std::size_t one = 0; one < urgencies; ++one) {
            passed[one] = waits[one] && one != index_of(urgency) ? passed[one] + 1 : 0;
            longest[one] = std::max(longest[one], passed[one]);
        }
        waits[index_of(urgency)] = random() % 3 == 0;  // and sometimes there is more of it
    }
    EXPECT_LE(longest[index_of(Urgency::approval)], 2U) << "one turn of each of the others";
    EXPECT_LE(longest[index_of(Urgency::conclusion)], limits::outbox_approvals_in_a_row_max + 1);
    EXPECT_LE(longest[index_of(Urgency::other)], limits::outbox_approvals_in_a_row_max + 1);
}

}  // namespace
}  // namespace countersign::channels
