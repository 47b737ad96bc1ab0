// SPDX-License-Identifier: Apache-2.0
#include "security/freshness.hpp"

#include "core/limits.hpp"

#include <gtest/gtest.h>
#include <string>

namespace countersign::security {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const WallTime noon{seconds{1'700'000'000}};

TEST(Freshness, ATimestampIsPlainDigits) {
    EXPECT_EQ(*parse_unix_seconds("1700000000"), noon);
    EXPECT_EQ(*parse_unix_seconds("0"), WallTime{});
    EXPECT_EQ(*parse_unix_seconds("9999999999"), WallTime{seconds{9'999'999'999}});
}

TEST(Freshness, I5_AnyOtherTimestampIsMalformed) {
    using namespace std::string_literals;
    for (const auto& bad :
         {""s, " "s, "+1700000000"s, "-1700000000"s, " 1700000000"s, "1700000000 "s, "1700000000.5"s, "17e8"s,
          "0x6553f100"s, "01700000000"s, "00"s, "1700000000\0"s, "\xd9\xa1"s, "10000000000"s, "18446744073709551616"s,
          "18446744075409551616"s, std::string(1000, '1'), "1,700,000,000"s}) {
        const auto parsed = parse_unix_seconds(bad);
        ASSERT_FALSE(parsed) << bad;
        EXPECT_EQ(parsed.error().code, Errc::malformed);
    }
}

TEST(Freshness, I5_TheWindowEndsExactlyAtItsBound) {
    const auto long_ago = noon - seconds{100'000};
    const auto bound = limits::signature_age_max;
    for (const auto fresh : {noon, noon - bound, noon + bound}) EXPECT_TRUE(check_fresh(fresh, {noon, long_ago}));
    for (const auto stale : {noon - bound - milliseconds{1}, noon + bound + milliseconds{1}, WallTime{}}) {
        EXPECT_EQ(check_fresh(stale, {noon, long_ago}).error().code, Errc::stale);
    }
}

TEST(Freshness, I5_ASignatureFromBeforeTheProcessStartedIsStale) {
    EXPECT_TRUE(check_fresh(noon, {noon, noon}));
    EXPECT_EQ(check_fresh(noon, {noon + seconds{1}, noon + milliseconds{1}}).error().code, Errc::stale);
}

TEST(Freshness, SaysHowFarOffTheClockIs) {
    const auto long_ago = noon - seconds{100'000};
    EXPECT_EQ(check_fresh(noon - seconds{412}, {noon, long_ago}).error().detail,
              "the timestamp is 412 s old, at most 300 s");
    EXPECT_EQ(check_fresh(noon - seconds{300} - milliseconds{1}, {noon, long_ago}).error().detail,
              "the timestamp is 301 s old, at most 300 s");
    EXPECT_EQ(check_fresh(noon + seconds{3600}, {noon, long_ago}).error().detail,
              "the timestamp is 3600 s ahead, at most 300 s: is this machine's clock right?");
    EXPECT_EQ(check_fresh(noon - seconds{5}, {noon, noon}).error().detail, "signed 5 s before this process started");
}

}  // namespace
}  // namespace countersign::security
