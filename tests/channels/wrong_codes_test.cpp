// SPDX-License-Identifier: Apache-2.0
// Guessing codes: how many tries somebody has, and that nobody can make us forget whom we locked.
#include "channels/wrong_codes.hpp"

#include "core/limits.hpp"

#include <gtest/gtest.h>

namespace countersign::channels {
namespace {

using namespace std::chrono_literals;

std::string person(std::size_t number) { return "talk:" + std::to_string(number); }

// So many wrong codes at once; true if the last one locked them.
bool guess(WrongCodes& codes, const std::string& who, std::size_t times, BootTime now) {
    bool locked = false;
    for (std::size_t i = 0; i < times; ++i) locked = codes.note(who, now);
    return locked;
}

TEST(WrongCodesTest, I13_OnePastTheBoundLocksForItsTimeAndSaysSoOnce) {
    WrongCodes codes;
    BootTime now{1h};
    EXPECT_FALSE(guess(codes, "talk:1", limits::wrong_codes_max - 1, now));
    EXPECT_FALSE(codes.locked("talk:1", now));
    EXPECT_TRUE(codes.note("talk:1", now));
    EXPECT_TRUE(codes.locked("talk:1", now));
    EXPECT_FALSE(codes.note("talk:1", now)) << "it was said";
    EXPECT_FALSE(codes.locked("talk:2", now)) << "another person is another person";
    now += limits::wrong_codes_lock - 1ms;
    EXPECT_TRUE(codes.locked("talk:1", now)) << "tries meanwhile neither shorten nor lengthen it";
    now += 1ms;
    EXPECT_FALSE(codes.locked("talk:1", now));
    EXPECT_FALSE(codes.note("talk:1", now)) << "and they begin anew";
}

TEST(WrongCodesTest, TriesCountOnlyWithinTheWindow) {
    WrongCodes codes;
    BootTime now{1h};
    guess(codes, "talk:1", limits::wrong_codes_max - 1, now);
    EXPECT_FALSE(codes.note("talk:1", now + limits::wrong_codes_window)) << "the others are long past";
    EXPECT_FALSE(guess(codes, "talk:1", limits::wrong_codes_max - 2, now + limits::wrong_codes_window));
    EXPECT_TRUE(codes.note("talk:1", now + 2 * limits::wrong_codes_window - 1ms));
}

TEST(WrongCodesTest, I13_AFloodOfPeoplePushesOutNobodyWhoIsLocked) {
    WrongCodes codes;
    const BootTime now{1h};
    ASSERT_TRUE(guess(codes, "talk:locked", limits::wrong_codes_max, now));
    guess(codes, "talk:old", limits::wrong_codes_max - 1, now);
    for (std::size_t i = 2; i < limits::wrong_codes_people_max; ++i) {
        ASSERT_FALSE(codes.note(person(i), now + 1s));
    }
    EXPECT_EQ(codes.size(), limits::wrong_codes_people_max);
    EXPECT_FALSE(codes.note("talk:one-more", now + 2s));
    EXPECT_EQ(codes.size(), limits::wrong_codes_people_max);
    EXPECT_TRUE(codes.locked("talk:locked", now + 2s));
    EXPECT_FALSE(codes.note("talk:old", now + 3s)) << "whose last try was the oldest is forgotten, and begins anew";
}

TEST(WrongCodesTest, I2_WhoeverCannotBeRememberedIsLockedToo) {
    WrongCodes codes;
    const BootTime now{1h};
    for (std::size_t i = 0; i < limits::wrong_codes_people_max; ++i) {
        ASSERT_TRUE(guess(codes, person(i), limits::wrong_codes_max, now));
    }
    EXPECT_TRUE(codes.locked("talk:one-more", now));
    EXPECT_FALSE(guess(codes, "talk:one-more", limits::wrong_codes_max, now));
    EXPECT_EQ(codes.size(), limits::wrong_codes_people_max);
    EXPECT_TRUE(codes.locked(person(0), now));
    EXPECT_FALSE(codes.locked("talk:one-more", now + limits::wrong_codes_lock));
}

}  // namespace
}  // namespace countersign::channels
