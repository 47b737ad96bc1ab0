// SPDX-License-Identifier: Apache-2.0
#include "core/ulid.hpp"

#include <gtest/gtest.h>
#include <random>
#include <unordered_set>

namespace countersign {
namespace {

using std::chrono::milliseconds;

constexpr std::array<std::uint8_t, 10> no_random{};

std::string string_at(std::int64_t millis, const std::array<std::uint8_t, 10>& random = no_random) {
    return Ulid{WallTime{milliseconds{millis}}, random}.str();
}

TEST(Ulid, PrintsTimeAndRandomBits) {
    EXPECT_EQ(Ulid{}.str(), "00000000000000000000000000");
    EXPECT_EQ(string_at(1469918176385), "01ARYZ6S410000000000000000") << "the example of the ULID specification";
    EXPECT_EQ(string_at(1), "00000000010000000000000000");
    EXPECT_EQ(string_at(0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1}), "00000000000000000000000001");
    EXPECT_EQ(string_at(0, {0x80}), "0000000000G000000000000000");
    std::array<std::uint8_t, 10> ones{};
    ones.fill(0xFF);
    EXPECT_EQ(string_at(0xFFFFFFFFFFFF, ones), "7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
}

TEST(Ulid, AnIdIsReadBackAsPrinted) {
    std::mt19937_64 random{1};
    for (int i = 0; i < 1000; ++i) {
        std::array<std::uint8_t, 10> bits{};
        for (auto& byte : bits) byte = static_cast<std::uint8_t>(random());
        const Ulid ulid{WallTime{milliseconds{random() >> 16U}}, bits};
        const auto parsed = Ulid::parse(ulid.str());
        ASSERT_TRUE(parsed) << ulid.str();
        ASSERT_EQ(*parsed, ulid);
        ASSERT_EQ(parsed->str(), ulid.str());
    }
}

TEST(Ulid, OneIdHasOneSpelling) {
    const std::string good = "01ARYZ6S41TSV4RRFFQ69G5FAV";
    ASSERT_TRUE(Ulid::parse(good));
    const auto with = [&](std::size_t at, char symbol) {
        auto text = good;
        text[at] = symbol;
        return text;
    };
    for (const char symbol : {'I', 'L', 'O', 'U', 'a', 'z', '-', ' ', '/', ':', '@', '[', '\0', '\xff'}) {
        for (const std::size_t at : {0U, 1U, 12U, 25U}) {
            EXPECT_EQ(Ulid::parse(with(at, symbol)).error().code, Errc::malformed) << symbol << " at " << at;
        }
    }
    EXPECT_TRUE(Ulid::parse(with(0, '7')));
    EXPECT_FALSE(Ulid::parse(with(0, '8'))) << "130 bits do not fit";
    EXPECT_FALSE(Ulid::parse(with(0, 'Z')));
}

TEST(Ulid, I13_HasExactly26Characters) {
    EXPECT_FALSE(Ulid::parse(""));
    EXPECT_FALSE(Ulid::parse("01ARYZ6S41TSV4RRFFQ69G5FA"));
    EXPECT_FALSE(Ulid::parse("01ARYZ6S41TSV4RRFFQ69G5FAVV"));
    EXPECT_FALSE(Ulid::parse(" 01ARYZ6S41TSV4RRFFQ69G5FAV"));
}

TEST(Ulid, TextOrderIsTimeOrder) {
    std::string before;
    for (const std::int64_t millis :
         {0LL, 1LL, 31LL, 32LL, 1023LL, 1024LL, 1469918176385LL, 1794794400000LL, 0xFFFFFFFFFFFFLL}) {
        const auto now = string_at(millis);
        EXPECT_LT(before, now);
        before = now;
    }
    EXPECT_LT((Ulid{WallTime{milliseconds{5}}, no_random}), (Ulid{WallTime{milliseconds{256}}, no_random}));
}

TEST(Ulid, CanBeAKeyOfAHashTable) {
    std::unordered_set<Ulid> seen;
    for (int i = 0; i < 100; ++i) seen.insert(Ulid{WallTime{milliseconds{i % 50}}, no_random});
    EXPECT_EQ(seen.size(), 50U);
}

}  // namespace
}  // namespace countersign
