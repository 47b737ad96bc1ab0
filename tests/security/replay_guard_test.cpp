// SPDX-License-Identifier: Apache-2.0
#include "security/replay_guard.hpp"

#include <gtest/gtest.h>
#include <string>

namespace countersign::security {
namespace {

using namespace std::chrono_literals;

BootTime at(std::chrono::milliseconds since_boot) { return BootTime{since_boot}; }

Errc refusal(const Result<void>& result) { return result ? Errc::internal : result.error().code; }

TEST(ReplayGuard, I5_ADeliveryIsAcceptedOnce) {
    ReplayGuard guard;
    EXPECT_TRUE(guard.take("ops", "1", at(0s)));
    EXPECT_EQ(refusal(guard.take("ops", "1", at(0s))), Errc::replayed);
    EXPECT_EQ(refusal(guard.take("ops", "1", at(9min))), Errc::replayed);
    EXPECT_EQ(guard.size(), 1U);
}

TEST(ReplayGuard, I5_ALowerIdThatArrivesLaterIsAccepted) {
    ReplayGuard guard;
    EXPECT_TRUE(guard.take("ops", "9999999999", at(0s)));
    EXPECT_TRUE(guard.take("ops", "5", at(1s))) << "a lower id that comes later is new";
    EXPECT_TRUE(guard.take("ops", "4", at(2s)));
    EXPECT_EQ(refusal(guard.take("ops", "5", at(3s))), Errc::replayed);
}

TEST(ReplayGuard, I5_IdsOfDifferentChannelsAreSeparate) {
    ReplayGuard guard;
    EXPECT_TRUE(guard.take("a", "1", at(0s)));
    EXPECT_TRUE(guard.take("b", "1", at(0s)));
    EXPECT_TRUE(guard.take("a1", "2", at(0s)));
    EXPECT_TRUE(guard.take("a", "12", at(0s)));
    EXPECT_TRUE(guard.take("1:a", "1", at(0s)));
}

TEST(ReplayGuard, I5_AnIdIsComparedByteForByte) {
    ReplayGuard guard;
    EXPECT_TRUE(guard.take("ops", "SMabc", at(0s)));
    EXPECT_TRUE(guard.take("ops", "SMABC", at(0s)));
    EXPECT_TRUE(guard.take("ops", std::string_view{"SMabc\0", 6}, at(0s)));
}

TEST(ReplayGuard, ForgetsAnIdOnlyWhenItsSignatureCanNoLongerBeFresh) {
    ReplayGuard guard;
    const auto keep = 2 * limits::signature_age_max;
    ASSERT_TRUE(guard.take("ops", "1", at(0s)));
    EXPECT_EQ(refusal(guard.take("ops", "1", at(keep - 1ms))), Errc::replayed);
    EXPECT_TRUE(guard.take("ops", "2", at(keep)));
    EXPECT_EQ(guard.size(), 1U) << "the first is gone";
    EXPECT_TRUE(guard.take("ops", "1", at(keep)));
}

TEST(ReplayGuard, AReplayDoesNotProlongTheMemory) {
    ReplayGuard guard{{.keep = 10s, .entries_max = 10}};
    ASSERT_TRUE(guard.take("ops", "1", at(0s)));
    EXPECT_FALSE(guard.take("ops", "1", at(9s)));
    EXPECT_TRUE(guard.take("ops", "1", at(10s)));
}

TEST(ReplayGuard, WhenFullItForgetsTheOldestFirst) {
    ReplayGuard guard{{.keep = 1h, .entries_max = 3}};
    for (const auto* id : {"1", "2", "3", "4"}) EXPECT_TRUE(guard.take("ops", id, at(0s)));
    EXPECT_EQ(guard.size(), 3U);
    for (const auto* id : {"2", "3", "4"}) EXPECT_EQ(refusal(guard.take("ops", id, at(0s))), Errc::replayed) << id;
    EXPECT_TRUE(guard.take("ops", "1", at(0s)));
}

TEST(ReplayGuard, OneOverTheBoundDoesNotGrowIt) {
    ReplayGuard guard;
    for (std::size_t i = 0; i <= limits::replay_entries_max; ++i)
        ASSERT_TRUE(guard.take("ops", std::to_string(i), at(0s)));
    EXPECT_EQ(guard.size(), limits::replay_entries_max);
    EXPECT_EQ(refusal(guard.take("ops", "1", at(0s))), Errc::replayed);
    EXPECT_TRUE(guard.take("ops", "0", at(0s)));
}

TEST(ReplayGuard, AnIdMustBePresentAndBounded) {
    ReplayGuard guard;
    EXPECT_EQ(refusal(guard.take("ops", "", at(0s))), Errc::malformed);
    EXPECT_TRUE(guard.take("ops", std::string(limits::delivery_id_bytes_max, 'x'), at(0s)));
    EXPECT_EQ(refusal(guard.take("ops", std::string(limits::delivery_id_bytes_max + 1, 'x'), at(0s))), Errc::too_large);
    EXPECT_EQ(guard.size(), 1U);
}

}  // namespace
}  // namespace countersign::security
