// SPDX-License-Identifier: Apache-2.0
#include "audit/review/statistics.hpp"

#include "tests/audit/review/review_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace countersign::audit::review {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using namespace std::chrono_literals;

class StatisticsTest : public testing::Test, public ReviewWorld {
protected:
    void SetUp() override { ASSERT_TRUE(open()); }
    Statistics counted(const Filter& filter = {}) { return statistics(review()->catalogue(), filter); }
    std::map<std::string, Coverage> covered(const Filter& filter = {}) {
        return coverage(review()->catalogue(), filter);
    }
};

TEST(Percentile, IsAValueFromTheData) {
    std::vector<std::int64_t> values(100);
    std::iota(values.begin(), values.end(), 1);
    const auto found = percentiles(values);
    EXPECT_EQ(found.p50, 50);
    EXPECT_EQ(found.p90, 90);
    EXPECT_EQ(found.p99, 99);
    EXPECT_EQ(found.longest, 100);
    EXPECT_EQ(percentiles({7}).p50, 7);
    EXPECT_EQ(percentiles({7}).p99, 7);
    EXPECT_EQ(percentiles({3, 1, 2}).p50, 2);
    EXPECT_EQ(percentiles({}).count, 0U);
}

TEST_F(StatisticsTest, RequestsAreCountedByDeciderByDayAndByPerson) {
    decide(ask(), "allowed", "alice", "ops", 1000);
    decide(ask(), "denied", "alice", "ops", 3000);
    clock.advance(24h);
    decide(ask(), "allowed", "bob", "ops", 500);
    decide(ask(), "denied", "policy:safe", "", 0);
    decide(ask(), "allowed", "grant:01J", "", 0);
    end(ask(), "expired");
    (void)ask();
    const auto found = counted();
    EXPECT_EQ(found.counts.requests, 7U);
    EXPECT_EQ(found.counts.by_person, 3U);
    EXPECT_EQ(found.counts.by_policy, 1U);
    EXPECT_EQ(found.counts.by_grant, 1U);
    EXPECT_EQ(found.counts.by_nobody, 1U);
    EXPECT_EQ(found.counts.open, 1U);
    EXPECT_THAT(found.outcomes,
                ElementsAre(Pair("allowed", 3), Pair("denied", 2), Pair("expired", 1), Pair("open", 1)));
    ASSERT_EQ(found.days.size(), 2U);
    EXPECT_EQ(found.days.begin()->second.counts.requests, 2U);
    EXPECT_THAT(found.days.begin()->second.people, ElementsAre(Pair("alice", 2)));
    EXPECT_THAT(found.days.rbegin()->second.people, ElementsAre(Pair("bob", 1)));
    EXPECT_EQ(found.people.at("alice").denied, 1U);
    EXPECT_EQ(found.people.at("alice").latency.p50, 1000);
    EXPECT_EQ(found.latency.count, 3U) << "rules are fast, and do not count";
    EXPECT_EQ(found.latency.longest, 3000);
}

TEST_F(StatisticsTest, AnswersAndVotesAreCountedToo) {
    decide(ask({.tool = "question"}), "answered", "alice", "ops", 1000);
    const auto quorum = ask();
    vote(quorum, "carol");
    vote(quorum, "bob");
    decide(quorum, "allowed", "alice", "ops", 2000);
    vote(ask(), "carol");
    const auto found = counted();
    EXPECT_EQ(found.people.at("alice").decided, 2U);
    EXPECT_EQ(found.people.at("alice").answered, 1U);
    EXPECT_EQ(found.people.at("alice").voted, 0U);
    EXPECT_EQ(found.people.at("bob").voted, 1U);
    EXPECT_EQ(found.people.at("bob").decided, 0U);
    EXPECT_EQ(found.people.at("carol").voted, 2U);
    EXPECT_EQ(found.votes, 3U);
    EXPECT_EQ(found.latency.count, 2U) << "a vote decides nothing";
    EXPECT_THAT(json::canonical(json_of(found)), AllOf(HasSubstr("\"votes\":3"), HasSubstr("\"answered\":1,")));
}

TEST_F(StatisticsTest, RequestsRefusedByAHaltHaveNoDecisionTime) {
    decide(ask(), "denied", "alice", "ops", 3000);
    refuse_halted(ask(), "alice");
    const auto found = counted();
    EXPECT_EQ(found.people.at("alice").denied, 2U);
    EXPECT_EQ(found.latency.count, 1U);
    EXPECT_EQ(found.latency.p50, 3000);
}

TEST_F(StatisticsTest, ADayIsInTheReadersZone) {
    clock.advance(21h);
    (void)ask();
    const auto utc = counted().days.begin()->first;
    const auto east = [](WallTime time) { return utc_day(time + 12h); };
    EXPECT_EQ(statistics(review()->catalogue(), {}, east).days.begin()->first, utc_day(clock.wall() + 12h));
    EXPECT_EQ(utc, utc_day(clock.wall()));
}

TEST_F(StatisticsTest, AnUnattendedDemoIsNotCountedAsAPerson) {
    const auto id = ask();
    present(id, "terminal");
    decide(id, "allowed", "demo:unattended", "terminal", 1);
    decide(ask(), "allowed", "alice", "ops", 1000);
    const auto found = counted();
    EXPECT_EQ(found.counts.by_demo, 1U);
    EXPECT_EQ(found.counts.by_person, 1U);
    EXPECT_THAT(found.people, ElementsAre(Pair("alice", testing::_)));
    EXPECT_EQ(found.latency.count, 1U);
    EXPECT_EQ(found.days.begin()->second.people.size(), 1U);
    EXPECT_EQ(covered().at("builder").shown, 1U) << "no person was shown the other";
    EXPECT_THAT(json::canonical(json_of(found)), testing::HasSubstr("\"byDemo\":1"));
}

TEST_F(StatisticsTest, RefusalsAreCountedByReason) {
    const auto id = ask();
    refuse(id, "late");
    refuse(id, "not_authorised", 9);
    write("turned_away", {{"agentId", "builder"}, {"why", "busy"}, {"suppressed", 1}});
    write("unreadable", {{"agentId", "builder"}, {"why", "malformed"}, {"suppressed", 0}});
    const auto found = counted();
    EXPECT_EQ(found.refused, 11U);
    EXPECT_THAT(found.refusals, ElementsAre(Pair("late", 1), Pair("not_authorised", 10)));
    EXPECT_EQ(found.turned_away, 2U);
    EXPECT_EQ(found.unreadable, 1U);
    EXPECT_EQ(counted({.agent = "other"}).refused, 0U);
    EXPECT_EQ(counted({.since = clock.wall() + 1ms}).refused, 0U);
}

TEST_F(StatisticsTest, CoverageSaysPerAgentHowMuchAPersonSaw) {
    const auto seen = ask({.agent = "prod-1"});
    present(seen, "ops");
    decide(seen, "allowed", "alice");
    const auto expired = ask({.agent = "prod-1"});
    present(expired, "ops");
    end(expired, "expired");
    decide(ask({.agent = "prod-1"}), "allowed", "policy:safe", "");
    unasked("prod-1", 4);
    decide(ask({.agent = "builder"}), "allowed", "grant:01J", "");
    unasked("stranger");
    const auto found = covered();
    ASSERT_EQ(found.size(), 3U);
    const auto& prod = found.at("prod-1");
    EXPECT_EQ(prod.counts.requests, 3U);
    EXPECT_EQ(prod.shown, 2U);
    EXPECT_EQ(prod.unasked, 5U);
    EXPECT_DOUBLE_EQ(*prod.seen_percent(), 25.0);
    EXPECT_DOUBLE_EQ(*found.at("builder").seen_percent(), 0.0);
    EXPECT_EQ(found.at("stranger").counts.requests, 0U);
    EXPECT_FALSE(Coverage{}.seen_percent());
    EXPECT_EQ(json::canonical(json_of(prod)),
              R"({"byGrant":0,"byNobody":1,"byPerson":1,"byPolicy":1,"open":0,"requests":3,"seenPermille":250,)"
              R"("shown":2,"unasked":5})");
    EXPECT_EQ(covered({.agent = "prod-*"}).size(), 1U);
}

TEST_F(StatisticsTest, TheJsonContainsEveryDay) {
    for (int i = 0; i < 40; ++i) {
        decide(ask(), "allowed", "alice");
        clock.advance(24h);
    }
    const auto object = json_of(counted());
    EXPECT_EQ(object.find("days")->object()->members().size(), 40U);
    EXPECT_EQ(object.find("days")->object()->members().front().first, "2025-11-16");
}

}  // namespace
}  // namespace countersign::audit::review
