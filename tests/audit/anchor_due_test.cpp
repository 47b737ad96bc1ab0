// SPDX-License-Identifier: Apache-2.0
#include "audit/anchor_due.hpp"

#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

using namespace std::chrono_literals;

constexpr AnchorRhythm rhythm{.every = 1h, .records = 100};
const BootTime start{std::chrono::milliseconds{100h}};

TEST(AnchorDueTest, TheFirstIsDueAtOnceAndTheNextAfterTheInterval) {
    AnchorDue due{rhythm, std::nullopt};
    EXPECT_TRUE(due.due(start, 1));
    due.tried(start, 1);
    due.shown(1);
    EXPECT_FALSE(due.due(start + 59min, 2));
    EXPECT_EQ(due.next(start + 59min, 2), start + 1h);
    EXPECT_TRUE(due.due(start + 1h, 2));
}

TEST(AnchorDueTest, AnAnchorFromBeforeTheStartIsConsidered) {
    EXPECT_FALSE((AnchorDue{rhythm, start - 30min}.due(start, 5)));
    EXPECT_TRUE((AnchorDue{rhythm, start - 30min}.due(start + 30min, 5)));
    EXPECT_TRUE((AnchorDue{rhythm, start - 3h}.due(start, 5)));
}

TEST(AnchorDueTest, EnoughNewRecordsDoNotWaitForTheInterval) {
    AnchorDue due{rhythm, std::nullopt};
    due.tried(start, 1);
    due.shown(1);
    EXPECT_FALSE(due.due(start + 1min, 100));
    EXPECT_TRUE(due.due(start + 1min, 101));
}

TEST(AnchorDueTest, AnIdleLogIsAnchoredOnce) {
    AnchorDue due{rhythm, std::nullopt};
    due.tried(start, 7);
    due.shown(7);
    EXPECT_FALSE(due.due(start + 1000h, 7));
    EXPECT_FALSE(due.next(start + 1000h, 7)) << "and nobody wakes for it";
    EXPECT_TRUE(due.due(start + 1000h, 8)) << "the first thing that happens then is shown at once";
}

TEST(AnchorDueTest, AFailedAttemptIsRetriedEvenIfNothingChanged) {
    AnchorDue due{rhythm, std::nullopt};
    due.tried(start, 7);
    EXPECT_FALSE(due.due(start + 59min, 7));
    EXPECT_EQ(due.next(start, 7), start + 1h);
    EXPECT_TRUE(due.due(start + 1h, 7));
    EXPECT_FALSE(due.next(start + 1h, 7)) << "it is due now";
}

}  // namespace
}  // namespace countersign::audit
