// SPDX-License-Identifier: Apache-2.0
#include "channels/token_bucket.hpp"

#include <gtest/gtest.h>

namespace countersign::channels {
namespace {

using namespace std::chrono_literals;
const BootTime begin{1h};

// How many go from `from` on, in that time, if somebody always wants to.
std::size_t taken_within(TokenBucket& bucket, BootTime from, std::chrono::milliseconds time) {
    std::size_t taken = 0;
    for (auto now = from; now < from + time; now += 1ms) {
        while (bucket.ready_at() <= now) {
            bucket.take(now);
            ++taken;
        }
    }
    return taken;
}

TEST(TokenBucketTest, ItGivesItsBurstAtOnceAndThenOneAnInterval) {
    TokenBucket bucket{{3, 100ms}};
    EXPECT_EQ(taken_within(bucket, begin, 1ms), 3U);
    EXPECT_EQ(bucket.ready_at(), begin + 100ms);
    EXPECT_EQ(taken_within(bucket, begin + 1ms, 1s), 10U);
}

TEST(TokenBucketTest, APauseFillsItAndNoFurtherThanItsBurst) {
    TokenBucket bucket{{3, 100ms}};
    EXPECT_EQ(taken_within(bucket, begin, 1ms), 3U);
    EXPECT_EQ(bucket.full_at(), begin + 300ms);
    EXPECT_EQ(taken_within(bucket, begin + 200ms, 1ms), 2U);
    EXPECT_EQ(taken_within(bucket, begin + 24h, 1ms), 3U);
}

TEST(TokenBucketTest, I13_InNoWindowDoMoreGoThanBurstAndRate) {
    TokenBucket bucket{{10, 3s}};  // a group of Telegram
    EXPECT_EQ(taken_within(bucket, begin, 1min), 29U);
    EXPECT_EQ(taken_within(bucket, begin + 1min, 1min), 20U) << "what the platform takes, from then on";
}

TEST(TokenBucketTest, WhoTakesMoreThanThereIsWaitsSoMuchLonger) {
    TokenBucket bucket{{1, 100ms}};
    bucket.take(begin, 3);
    EXPECT_EQ(bucket.ready_at(), begin + 300ms);
}

TEST(TokenBucketTest, WhatIsGivenBackMayGoAgain) {
    TokenBucket bucket{{1, 100ms}};
    bucket.take(begin);
    EXPECT_GT(bucket.ready_at(), begin);
    bucket.give_back();
    EXPECT_LE(bucket.ready_at(), begin);
}

TEST(TokenBucketTest, WithoutABoundItIsAlwaysReady) {
    TokenBucket bucket;
    for (int i = 0; i < 1'000; ++i) bucket.take(begin);
    bucket.give_back();
    EXPECT_LE(bucket.ready_at(), begin);
    EXPECT_LE(bucket.full_at(), begin);
}

}  // namespace
}  // namespace countersign::channels
