// SPDX-License-Identifier: Apache-2.0
#include "core/configuration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Person person(std::string name, std::vector<std::string> principals) {
    return {.name = std::move(name), .principals = std::move(principals), .permissions = {Permission::approve}};
}

Route route(std::string name, std::vector<std::string> deciders, std::optional<RouteMatch> match = std::nullopt) {
    Route made;
    made.name = std::move(name);
    made.deciders = std::move(deciders);
    made.match = std::move(match);
    return made;
}

Configuration team() {
    Configuration configuration;
    configuration.people["alice"] = person("alice", {"telegram:77", "slack:T0/U1"});
    configuration.people["bob"] = person("bob", {"telegram:78"});
    configuration.people["carol"] = person("carol", {"sms:+447700900123"});
    configuration.groups["oncall"] = {"bob", "carol", "nobody"};
    return configuration;
}

RouteMatch match_agent(std::string agent, std::optional<RiskLevel> risk = std::nullopt) {
    RouteMatch match;
    match.agent = std::move(agent);
    match.risk = risk;
    return match;
}

Request request_of(std::string agent, RiskLevel risk = RiskLevel::low) {
    Request request;
    request.agent_id = std::move(agent);
    request.runtime = "claude";
    request.session_key = "s-1";
    request.judgement.risk.level = risk;
    Approval approval;
    approval.subject = ToolUse{"Bash", "t1"};
    request.body = approval;
    return request;
}

TEST(Configuration, PermissionsKeepTheirNames) {
    EXPECT_EQ(name(Permission::approve), "approve");
    EXPECT_EQ(name(Permission::approve_always), "approve-always");
    EXPECT_EQ(permission_named("approve-always"), Permission::approve_always);
    EXPECT_EQ(permission_named("approve"), Permission::approve);
    EXPECT_EQ(permission_named("admin"), std::nullopt);
}

TEST(Configuration, EachPrincipalOfAPersonFindsThatPerson) {
    const auto configuration = team();
    ASSERT_NE(configuration.person_of("telegram:77"), nullptr);
    EXPECT_EQ(configuration.person_of("telegram:77")->name, "alice");
    EXPECT_EQ(configuration.person_of("slack:T0/U1")->name, "alice");
}

TEST(Configuration, I4_APrincipalIsMatchedWholeOrNotAtAll) {
    const auto configuration = team();
    for (const auto* stranger : {"", "telegram:7", "telegram:770", "TELEGRAM:77", "77", "slack:U1", "sms:7700900123"}) {
        EXPECT_EQ(configuration.person_of(stranger), nullptr) << stranger;
    }
}

TEST(Configuration, I4_AnEmptyPrincipalMatchesNoPersonEvenIfOneIsConfigured) {
    auto configuration = team();
    configuration.people["dave"] = person("dave", {""});
    EXPECT_EQ(configuration.person_of(""), nullptr);
}

TEST(Configuration, I4_APrincipalOfTwoPeopleMatchesNeither) {
    auto configuration = team();
    configuration.people["bob"].principals.push_back("telegram:77");
    EXPECT_EQ(configuration.person_of("telegram:77"), nullptr);
}

TEST(Configuration, RoutesAndAlwaysModesAreFoundByName) {
    auto configuration = team();
    configuration.routes = {route("prod", {"alice"}), route("rest", {"bob"})};
    configuration.always["codex"] = AlwaysMode::native;
    ASSERT_NE(configuration.route_named("rest"), nullptr);
    EXPECT_EQ(configuration.route_named("rest")->deciders, std::vector<std::string>{"bob"});
    EXPECT_EQ(configuration.route_named("gone"), nullptr);
    EXPECT_EQ(configuration.always_of("codex"), AlwaysMode::native);
    EXPECT_EQ(configuration.always_of("claude"), AlwaysMode::grant);
}

TEST(Configuration, TheFirstRouteThatMatchesIsTaken) {
    auto configuration = team();
    configuration.routes = {
        route("high", {"alice"}, match_agent("prod-*", RiskLevel::high)),
        route("prod", {"alice"}, match_agent("prod-*")),
        route("rest", {"bob"}),
    };
    EXPECT_EQ(route_for(configuration, request_of("prod-1", RiskLevel::high))->name, "high");
    EXPECT_EQ(route_for(configuration, request_of("prod-1"))->name, "prod");
    EXPECT_EQ(route_for(configuration, request_of("dev-1", RiskLevel::high))->name, "rest");
}

TEST(Configuration, EveryPatternOfAMatchMustFit) {
    const auto taken = [](const RouteMatch& match) {
        auto configuration = team();
        configuration.routes = {route("only", {"alice"}, match)};
        return route_for(configuration, request_of("prod-1", RiskLevel::medium)) != nullptr;
    };
    const auto everything = RouteMatch{"prod-?", "claude", "Bash", "s-*", RiskLevel::medium};
    EXPECT_TRUE(taken({}));
    EXPECT_TRUE(taken(everything));
    for (auto pattern : {&RouteMatch::agent, &RouteMatch::runtime, &RouteMatch::tool, &RouteMatch::session}) {
        auto other = everything;
        other.*pattern = "other-*";
        EXPECT_FALSE(taken(other));
    }
    EXPECT_FALSE(taken(match_agent("prod-1", RiskLevel::high)));
    EXPECT_FALSE(taken(match_agent("prod-1", RiskLevel::low)));
}

TEST(Configuration, WithoutAMatchingRouteThereIsNone) { EXPECT_EQ(route_for(team(), request_of("prod-1")), nullptr); }

TEST(Deciders, GroupsAreResolvedAndEachPersonIsListedOnce) {
    EXPECT_THAT(deciders_of(team(), route("r", {"@oncall", "bob", "alice"})), ElementsAre("alice", "bob", "carol"));
}

TEST(Deciders, I4_UndefinedNamesAndGroupsAddNoDecider) {
    EXPECT_THAT(deciders_of(team(), route("r", {"nobody", "@gone", "@", "", "oncall"})), IsEmpty());
    EXPECT_THAT(deciders_of(team(), route("r", {})), IsEmpty());
}

TEST(Deciders, AnEventCanOnlyNarrowTheDeciders) {
    auto request = request_of("prod-1");
    const auto both = route("r", {"alice", "bob"});
    request.authorized_senders = {"telegram:78", "sms:+447700900123", "telegram:999"};
    EXPECT_THAT(deciders_of(team(), both, request), ElementsAre("bob"));
    request.authorized_senders = std::vector<std::string>{};
    EXPECT_THAT(deciders_of(team(), both, request), IsEmpty());
    request.authorized_senders = std::nullopt;
    EXPECT_THAT(deciders_of(team(), both, request), ElementsAre("alice", "bob"));
}

TEST(Deciders, TheRequesterIsLeftOutIfTheRouteSaysSo) {
    auto request = request_of("prod-1");
    auto both = route("r", {"alice", "bob"});
    request.requester = "alice";
    EXPECT_THAT(deciders_of(team(), both, request), ElementsAre("alice", "bob"));
    both.not_requester = true;
    EXPECT_THAT(deciders_of(team(), both, request), ElementsAre("bob"));
    request.requester = "slack:T0/U1";
    EXPECT_THAT(deciders_of(team(), both, request), ElementsAre("bob"));
    request.requester = "";
    EXPECT_THAT(deciders_of(team(), both, request), ElementsAre("alice", "bob"));
}

TEST(ConfigurationTest, AStepNamesPeopleByTheIdsOfItsPlatform) {
    Configuration configuration;
    configuration.people["alice"] = {.name = "alice", .principals = {"telegram:77", "slack:T0/U1"}};
    configuration.people["bob"] = {.name = "bob", .principals = {"slack:T0/U2"}};
    configuration.channels["phone"] = {.name = "phone", .kind = "telegram"};
    EXPECT_EQ(principals_of(configuration, {.channel = "phone", .people = {"alice", "bob", "nobody"}}),
              std::vector<std::string>{"telegram:77"});
    EXPECT_TRUE(principals_of(configuration, {.channel = "gone", .people = {"alice"}}).empty());
}

TEST(ConfigurationTest, APersonsOwnLanguageComesBeforeTheRoutes) {
    Configuration configuration;
    configuration.people["alice"] = {.name = "alice", .principals = {"telegram:77"}, .language = "zh"};
    configuration.people["bob"] = {.name = "bob", .principals = {"telegram:78"}};
    const Route route{.language = "de"};
    EXPECT_EQ(language_for(configuration, &route, ""), "de");
    EXPECT_EQ(language_for(configuration, &route, "telegram:77"), "zh");
    EXPECT_EQ(language_for(configuration, &route, "telegram:78"), "de");
    EXPECT_EQ(language_for(configuration, &route, "telegram:79"), "de");
    EXPECT_EQ(language_for(configuration, nullptr, "telegram:78"), "en");
    EXPECT_EQ(language_for(configuration, nullptr, "telegram:77"), "zh");
}

}  // namespace
}  // namespace countersign
