// SPDX-License-Identifier: Apache-2.0
#include "core/hub/ask_rate.hpp"
#include "tests/fakes/orphans.hpp"
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign {
namespace {

using fakes::shell_request;
using fakes::World;
using testing::HasSubstr;
using namespace std::chrono_literals;

class AskRateTest : public testing::Test {
protected:
    Result<void> take(std::size_t bytes = 0, const std::string& agent = "dev") {
        auto request = shell_request(ids.next(), std::string(bytes, 'x'));
        request.agent_id = agent;
        return rate.take(request, limits, now);
    }
    fakes::FakeIds ids;
    AskRate rate;
    AskLimits limits{.requests = 3, .bytes = 100 * 1024};
    BootTime now{1h};
};

TEST_F(AskRateTest, I13_OneRequestTooManyInAMinuteWaits) {
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(take());
    const auto refused = take();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::busy);
    EXPECT_EQ(refused.error().detail,
              "this agent has asked more than 3 times within a minute, so this was not asked; try again in 20 s");
    EXPECT_TRUE(take(0, "other")) << "each agent has its own";
    now += 19'999ms;
    EXPECT_FALSE(take());
    now += 1ms;
    EXPECT_TRUE(take()) << "what was refused cost nothing";
    EXPECT_FALSE(take());
    now += 1h;
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(take());
    EXPECT_FALSE(take()) << "an hour brings no more than a minute";
}

TEST_F(AskRateTest, I13_OneByteTooManyInAMinuteWaits) {
    const auto overhead = bytes_of(shell_request(ids.next(), ""));
    EXPECT_TRUE(take(100 * 1024 - overhead));
    now += 1min;
    EXPECT_TRUE(take(100 * 1024 - overhead - 1));
    const auto refused = take();
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().detail, HasSubstr("for more than 100 KiB within a minute"));
}

TEST_F(AskRateTest, ARequestLargerThanAMinutesBytesNeedsAFullBucket) {
    EXPECT_TRUE(take(200 * 1024));
    EXPECT_FALSE(take());
    now += 59s;
    EXPECT_FALSE(take(200 * 1024));
    now += 1s;
    EXPECT_TRUE(take(200 * 1024));
}

TEST_F(AskRateTest, EveryWordOfAQuestionIsCounted) {
    auto question = fakes::question_request(ids.next());
    const auto before = bytes_of(question);
    std::get<Questionnaire>(question.body).questions.front().choices.push_back({"1234", "123456"});
    EXPECT_EQ(bytes_of(question), before + 10);
}

TEST_F(AskRateTest, I13_OneAgentTooManyForgetsTheOneThatAskedLongestAgo) {
    for (std::size_t i = 0; i < ask_rate_agents_max; ++i) {
        now += 1ms;
        ASSERT_TRUE(take(0, "agent" + std::to_string(i)));
    }
    EXPECT_EQ(rate.size(), ask_rate_agents_max);
    EXPECT_TRUE(take(0, "one more"));
    EXPECT_EQ(rate.size(), ask_rate_agents_max);
}

class HubAskRateTest : public testing::Test {
protected:
    static Configuration limited() {
        auto configuration = fakes::small_configuration();
        configuration.ask_limits = {.requests = 2, .bytes = 1024 * 1024};
        return configuration;
    }
    Result<Ulid> ask(const std::string& agent = "dev") {
        auto request = shell_request(world.ids.next());
        request.agent_id = agent;
        return world.ask(std::move(request));
    }
    World world{limited()};
};

TEST_F(HubAskRateTest, I13_AnAgentThatAsksTooOftenHearsWhyAndNothingIsShown) {
    ASSERT_TRUE(ask());
    ASSERT_TRUE(ask());
    const auto refused = ask();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::busy);
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::undeliverable);
    EXPECT_THAT(world.agent.forwarded[0].reason, HasSubstr("more than 2 times within a minute"));
    EXPECT_EQ(world.ledger.count("request"), 2U);
    EXPECT_TRUE(ask("other"));
    world.advance(30s);
    EXPECT_TRUE(ask());
}

TEST_F(HubAskRateTest, I11_OneRecordPerMinuteCountsTheRequestsPastTheLimit) {
    ASSERT_TRUE(ask());
    ASSERT_TRUE(ask());
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(ask());
    EXPECT_EQ(world.ledger.count("turned_away"), 1U);
    EXPECT_EQ(world.ledger.text("turned_away", "why"), "busy");
    EXPECT_EQ(world.hub.counts().turned_away, 100U);
    world.advance(limits::left_out_told_max);
    ASSERT_EQ(world.ledger.count("turned_away"), 2U) << "the others, in one record";
    EXPECT_EQ(world.ledger.text("turned_away", "agentId"), "dev");
    EXPECT_EQ(world.ledger.text("turned_away", "detail"), "99 more in this minute, without a record each");
}

TEST_F(HubAskRateTest, I12_ARequestLeftByARestartIsShownAgainEvenPastTheLimit) {
    const auto request = shell_request(world.ids.next());
    world.hub.await_orphans({fakes::orphan_of(request, world.clock.boot())});
    ASSERT_TRUE(ask());
    ASSERT_TRUE(ask());
    EXPECT_TRUE(world.ask(request));
    EXPECT_FALSE(ask());
}

TEST_F(HubAskRateTest, AReloadAppliesTheNewLimitAtOnce) {
    ASSERT_TRUE(ask());
    ASSERT_TRUE(ask());
    EXPECT_FALSE(ask());
    auto configuration = limited();
    configuration.ask_limits.requests = 4;
    world.hub.reconfigure(std::make_shared<const Configuration>(configuration));
    EXPECT_TRUE(ask());
}

}  // namespace
}  // namespace countersign
