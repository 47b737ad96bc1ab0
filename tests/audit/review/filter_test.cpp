// SPDX-License-Identifier: Apache-2.0
#include "audit/review/filter.hpp"

#include "audit/review/when.hpp"
#include "tests/audit/review/review_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit::review {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using namespace std::chrono_literals;

class FilterTest : public testing::Test, public ReviewWorld {
protected:
    void SetUp() override {
        ASSERT_TRUE(open());
        began = clock.wall();
        const auto zero = ask({.agent = "builder", .tool = "Bash", .session = "s-1"});
        present(zero, "desk");
        decide(zero, "allowed", "alice", "ops");
        clock.advance(1h);
        const auto one = ask({.agent = "prod-1", .tool = "Edit", .session = "s-2"});
        present(one, "slack");
        vote(one, "carol");
        end(one, "expired");
        clock.advance(1h);
        const auto two = ask({.agent = "prod-2", .tool = "Bash", .session = "s-2"});
        decide(two, "denied", "policy:safe", "");
        clock.advance(1h);
        (void)ask({.agent = "prod-2", .tool = "mcp__db__query"});
        clock.advance(1h);
        const auto four = ask({.agent = "late"});
        decide(four, "allowed", "bob", "slack");
        about(four, "indeterminate");
    }
    std::vector<std::uint32_t> fitting(const Filter& filter) { return select(review()->catalogue(), filter); }
    WallTime began;
};

TEST_F(FilterTest, WithoutAFilterEverythingMatches) { EXPECT_THAT(fitting({}), ElementsAre(0, 1, 2, 3, 4)); }

TEST_F(FilterTest, TextsAreGlobs) {
    EXPECT_THAT(fitting({.agent = "prod-*"}), ElementsAre(1, 2, 3));
    EXPECT_THAT(fitting({.agent = "prod-?", .tool = "Bash"}), ElementsAre(2));
    EXPECT_THAT(fitting({.tool = "mcp__*"}), ElementsAre(3));
    EXPECT_THAT(fitting({.session = "s-2"}), ElementsAre(1, 2));
    EXPECT_THAT(fitting({.agent = "prod"}), IsEmpty()) << "a part of a name is not the name";
}

TEST_F(FilterTest, APersonMatchesDecidersAndVoters) {
    EXPECT_THAT(fitting({.person = "alice"}), ElementsAre(0));
    EXPECT_THAT(fitting({.person = "carol"}), ElementsAre(1));
    EXPECT_THAT(fitting({.person = "policy:*"}), ElementsAre(2));
    EXPECT_THAT(fitting({.person = "*"}), ElementsAre(0, 1, 2, 4)) << "nobody is no person";
}

TEST_F(FilterTest, AChannelMatchesWhereItWasDecidedOrElseWhereItWasShown) {
    EXPECT_THAT(fitting({.channel = "ops"}), ElementsAre(0));
    EXPECT_THAT(fitting({.channel = "desk"}), IsEmpty());
    EXPECT_THAT(fitting({.channel = "slack"}), ElementsAre(1, 4));
}

TEST_F(FilterTest, OutcomesMatchAnyOfThoseGiven) {
    EXPECT_THAT(fitting({.outcomes = {Outcome::denied}}), ElementsAre(2));
    EXPECT_THAT(fitting({.outcomes = {Outcome::denied, Outcome::expired}}), ElementsAre(1, 2));
    EXPECT_THAT(fitting({.outcomes = {std::nullopt}}), ElementsAre(3));
    EXPECT_THAT(fitting({.outcomes = {Outcome::indeterminate}}), ElementsAre(4));
    EXPECT_THAT(fitting({.outcomes = {Outcome::allowed}}), ElementsAre(0, 4)) << "it may have run";
}

TEST_F(FilterTest, ASpanIncludesItsStartAndExcludesItsEnd) {
    EXPECT_THAT(fitting({.since = began + 1h, .until = began + 3h}), ElementsAre(1, 2));
    EXPECT_THAT(fitting({.since = began + 1h + 1ms}), ElementsAre(2, 3, 4));
    EXPECT_THAT(fitting({.until = began + 1ms}), ElementsAre(0));
}

TEST(When, ADurationMeansThatLongBeforeNow) {
    const auto now = *wall_time_of("2026-11-16T12:00:00.000Z");
    EXPECT_EQ(rfc3339(*moment_of("90s", now)), "2026-11-16T11:58:30.000Z");
    EXPECT_EQ(rfc3339(*moment_of("15m", now)), "2026-11-16T11:45:00.000Z");
    EXPECT_EQ(rfc3339(*moment_of("24h", now)), "2026-11-15T12:00:00.000Z");
    EXPECT_EQ(rfc3339(*moment_of("30d", now)), "2026-10-17T12:00:00.000Z");
    EXPECT_EQ(rfc3339(*moment_of("2w", now)), "2026-11-02T12:00:00.000Z");
}

TEST(When, ADayStartsInUtcAndATimeHasItsOwnZone) {
    const WallTime now{};
    EXPECT_EQ(rfc3339(*moment_of("2026-11-01", now)), "2026-11-01T00:00:00.000Z");
    EXPECT_EQ(rfc3339(*moment_of("2026-11-01T12:30:00Z", now)), "2026-11-01T12:30:00.000Z");
    EXPECT_EQ(rfc3339(*moment_of("2026-11-01T12:30:00.25Z", now)), "2026-11-01T12:30:00.250Z");
    EXPECT_EQ(rfc3339(*moment_of("2026-11-01T12:30:00.123456789Z", now)), "2026-11-01T12:30:00.123Z");
    EXPECT_EQ(rfc3339(*moment_of("2026-11-01t12:30:00+02:00", now)), "2026-11-01T10:30:00.000Z");
    EXPECT_EQ(rfc3339(*moment_of("2026-11-01 23:30:00-01:30", now)), "2026-11-02T01:00:00.000Z");
}

TEST(When, OtherTextIsRefusedWithAnExample) {
    for (const auto* text :
         {"", "h", "24", "24 h", "-1h", "1y", "1000000s", "2026-13-01", "2026-02-30", "2026-11-01T25:00:00Z",
          "2026-11-01T12:30:00", "2026-11-01T12:30:00.Z", "2026-11-01T12:30:00+2:00", "yesterday"}) {
        const auto time = moment_of(text, WallTime{});
        ASSERT_FALSE(time) << text;
        EXPECT_NE(time.error().detail.find("24h"), std::string::npos);
    }
    EXPECT_TRUE(moment_of("999999s", WallTime{}));
}

}  // namespace
}  // namespace countersign::audit::review
