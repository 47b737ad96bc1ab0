// SPDX-License-Identifier: Apache-2.0
// Which agents and sessions are halted, and which routes decide about an agent: plain values.
#include "core/halts.hpp"

#include "core/agent_routes.hpp"
#include "core/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign {
namespace {

using testing::ElementsAre;

Halt halt(const std::string& agent, const std::string& session, const std::string& by = "alice") {
    return {.who = {agent, session}, .by = by, .at = {}};
}

TEST(HaltsTest, AHaltOfAnAgentCoversAllItsSessionsAndAHaltOfASessionOnlyThatOne) {
    Halts halts;
    ASSERT_TRUE(halts.add(halt("dev", "")));
    ASSERT_TRUE(halts.add(halt("prod", "s1")));
    EXPECT_NE(halts.of({"dev", ""}), nullptr);
    EXPECT_NE(halts.of({"dev", "s9"}), nullptr);
    EXPECT_NE(halts.of({"prod", "s1"}), nullptr);
    EXPECT_EQ(halts.of({"prod", "s2"}), nullptr);
    EXPECT_EQ(halts.of({"prod", ""}), nullptr);
    EXPECT_EQ(halts.of({"other", "s1"}), nullptr) << "a session of that name of another agent is another session";
}

TEST(HaltsTest, AHaltBySessionNameAppliesToEveryAgent) {
    Halts halts;
    ASSERT_TRUE(halts.add(halt("", "s1")));
    EXPECT_NE(halts.of({"dev", "s1"}), nullptr);
    EXPECT_NE(halts.of({"prod", "s1"}), nullptr);
    EXPECT_EQ(halts.of({"dev", "s2"}), nullptr);
    EXPECT_EQ(halts.of({"dev", ""}), nullptr) << "a session without a name has none";
    EXPECT_EQ(halts.of({"s1", ""}), nullptr) << "and an agent's name is no session's";
    EXPECT_TRUE(halts.lift({"", "s1"}));
    EXPECT_EQ(halts.of({"dev", "s1"}), nullptr);
}

TEST(HaltsTest, TheLatestHaltIsInForceAndLiftingEndsIt) {
    Halts halts;
    ASSERT_TRUE(halts.add(halt("dev", "")));
    ASSERT_TRUE(halts.add(halt("dev", "", "bob")));
    EXPECT_EQ(halts.of({"dev", "s1"})->by, "bob");
    EXPECT_FALSE(halts.lift({"dev", "s1"})) << "the agent was stopped, not this session";
    EXPECT_TRUE(halts.lift({"dev", ""}));
    EXPECT_EQ(halts.of({"dev", "s1"}), nullptr);
    EXPECT_TRUE(halts.all().empty());
}

TEST(HaltsTest, I13_OnePastTheBoundIsRefusedAndNoneIsForgotten) {
    Halts halts;
    for (std::size_t i = 0; i < limits::halts_max; ++i) ASSERT_TRUE(halts.add(halt("a" + std::to_string(i), "")));
    EXPECT_EQ(halts.add(halt("one more", "")).error().code, Errc::busy);
    EXPECT_TRUE(halts.add(halt("a0", ""))) << "it stands already";
    EXPECT_EQ(halts.count_with({{"a0", ""}, {"a1", ""}}), limits::halts_max);
    EXPECT_EQ(halts.count_with({{"a0", ""}, {"one more", ""}}), limits::halts_max + 1);
    EXPECT_EQ(halts.all().size(), limits::halts_max);
    EXPECT_NE(halts.of({"a0", ""}), nullptr);
}

TEST(HaltsTest, ANameThatMatchesNothingIsCountedOnce) {
    Halts halts;
    ASSERT_TRUE(halts.add(halt("dev", "")));
    ASSERT_TRUE(halts.add(halt("dev", "s1")));
    EXPECT_EQ(halts.unknown_count_with({}), 0U);
    EXPECT_EQ(halts.unknown_count_with({{"later", ""}, {"", "later"}}), 1U);
    ASSERT_TRUE(halts.add(halt("later", "")));
    ASSERT_TRUE(halts.add(halt("", "later")));
    EXPECT_EQ(halts.unknown_count_with({{"later", ""}, {"", "later"}}), 1U) << "it stands already";
}

std::vector<std::string> names_of(const Configuration& configuration, const Asker& asker) {
    std::vector<std::string> names;
    for (const auto* route : routes_of(configuration, asker)) names.push_back(route->name);
    return names;
}

TEST(AgentRoutesTest, OnlyRoutesThatItsRequestsCanTakeApplyToAnAgent) {
    Configuration configuration;
    configuration.routes = {{.name = "risky", .match = RouteMatch{.agent = "prod-*", .risk = RiskLevel::high}},
                            {.name = "prod", .match = RouteMatch{.agent = "prod-*"}},
                            {.name = "night", .match = RouteMatch{.session = "night-*"}},
                            {.name = "rest", .match = std::nullopt}};
    EXPECT_THAT(names_of(configuration, {"prod-1", ""}), ElementsAre("risky", "prod"));
    EXPECT_THAT(names_of(configuration, {"prod-1", "night-7"}), ElementsAre("risky", "prod"));
    EXPECT_THAT(names_of(configuration, {"dev", "s1"}), ElementsAre("rest"));
    EXPECT_THAT(names_of(configuration, {"dev", "night-7"}), ElementsAre("night"));
    EXPECT_THAT(names_of(configuration, {"dev", ""}), ElementsAre("night", "rest")) << "it may have such a session";
    EXPECT_THAT(names_of(configuration, {"", "s1"}), ElementsAre("risky", "prod", "rest")) << "it may be any agent's";
    EXPECT_THAT(names_of(configuration, {"", "night-7"}), ElementsAre("risky", "prod", "night"));
}

}  // namespace
}  // namespace countersign
