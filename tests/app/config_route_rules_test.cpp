// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/kind.hpp"
#include "config/route_rules.hpp"
#include "tests/app/config_sample.hpp"

namespace countersign::app {
namespace {

const std::string two_people = "[people.alice]\ntelegram = 1\nsms = \"+447700900123\"\nroles = [\"approve\"]\n"
                               "[people.bob]\ntelegram = 2\nsms = \"+447700900124\"\nroles = [\"approve\"]\n";
const std::string two_channels = "[channels.tg]\nkind = \"telegram\"\ntoken_file = \"/t\"\n"
                                 "[channels.sms]\nkind = \"sms\"\nauth_token_file = \"/t\"\naccount_sid = \"AC1\"\n"
                                 "from = \"+447700900999\"\n[channels.web]\nkind = \"console\"\n";

std::string quorum(const std::string& route, const std::string& people_text = two_people) {
    const auto found = problems_of(people_text + two_channels + "[[routes]]\n" + route, all_kinds);
    if (found.size() > 1) return all_of(found);
    return found.empty() ? "" : found[0].key + ": " + found[0].what + "; " + found[0].instead;
}

TEST(RouteQuorum, IsReachedIfEnoughDecidersCanAllowInOneChat) {
    EXPECT_EQ(quorum("ask = [ { channel = \"tg\", chat = -100 } ]\ndeciders = [\"alice\", \"bob\"]\nrequired = 2\n"),
              "");
}

TEST(RouteQuorum, IsReachedIfDecidersAreAskedInDifferentSteps) {
    EXPECT_EQ(quorum("ask = [ { channel = \"tg\", people = [\"alice\"] }, { channel = \"sms\", people = [\"bob\"] } ]\n"
                     "deciders = [\"alice\", \"bob\"]\nrequired = 2\nassurance = \"sms-code\"\n"),
              "");
}

TEST(RouteQuorum, FailsIfMoreAreRequiredThanMayDecide) {
    const auto said = quorum("ask = [ { channel = \"tg\", chat = 1 } ]\ndeciders = [\"alice\"]\nrequired = 2\n");
    EXPECT_EQ(said, "routes[0].deciders: 2 must allow, and only 1 of its deciders can; name more deciders; "
                    "or write ends = \"deny\" if no one should be able to allow");
}

TEST(RouteQuorum, CountsAllPeopleAtTheTerminalAsOne) {
    const std::string desk = two_people + "[people.carol]\nterminal = 1\nroles = [\"approve\"]\n"
                                          "[people.dave]\nterminal = 2\nroles = [\"approve\"]\n"
                                          "[channels.desk]\nkind = \"terminal\"\n";
    const auto said =
        quorum("ask = [ { channel = \"desk\" } ]\ndeciders = [\"carol\", \"dave\"]\nrequired = 2\n", desk);
    EXPECT_NE(said.find("only 1 of its deciders can; at one terminal sits one person"), std::string::npos) << said;
    EXPECT_EQ(quorum("ask = [ { channel = \"desk\" }, { channel = \"tg\", chat = -100 } ]\n"
                     "deciders = [\"carol\", \"alice\"]\nrequired = 2\n",
                     desk),
              "");
}

TEST(TerminalWarning, IsShownIfNoPersonIsTheUserWhoRunsIt) {
    Configuration configuration;
    configuration.people["alice"] = {.name = "alice", .principals = {"terminal:1000"}};
    EXPECT_FALSE(config::stranger_at_the_terminal(configuration, 7)) << "nobody is asked at a terminal";
    configuration.channels["desk"] = {.kind = "terminal", .facts = &channels::terminal::kind};
    EXPECT_FALSE(config::stranger_at_the_terminal(configuration, 1000));
    EXPECT_NE(config::stranger_at_the_terminal(configuration, 100)->find("terminal = 100"), std::string::npos);
}

TEST(RouteQuorum, CountsAPersonOnceWhoIsAlsoInAGroup) {
    const auto said =
        quorum("ask = [ { channel = \"tg\", chat = 1 } ]\ndeciders = [\"alice\", \"@all\"]\nrequired = 2\n",
               two_people + "[groups]\nall = [\"alice\"]\n");
    EXPECT_NE(said.find("only 1 of its deciders"), std::string::npos) << said;
}

TEST(RouteQuorum, ExcludesAPersonWithoutTheRole) {
    const auto said = quorum("ask = [ { channel = \"tg\", chat = 1 } ]\ndeciders = [\"carol\"]\n",
                             two_people + "[people.carol]\ntelegram = 3\n");
    EXPECT_NE(said.find("none of its deciders can; carol lacks the role"), std::string::npos) << said;
}

TEST(RouteQuorum, ExcludesAPersonWithoutAnIdOnThePlatform) {
    const auto said = quorum("ask = [ { channel = \"tg\", chat = 1 } ]\ndeciders = [\"carol\"]\n",
                             two_people + "[people.carol]\nslack = \"T0/U1\"\nroles = [\"approve\"]\n");
    EXPECT_NE(said.find("carol isn't reached by any step"), std::string::npos) << said;
}

TEST(RouteQuorum, ExcludesAPersonWhoIsNotNamedInAnyStep) {
    const auto said = quorum("ask = [ { channel = \"tg\", people = [\"bob\"] } ]\ndeciders = [\"alice\", \"bob\"]\n"
                             "required = 2\n");
    EXPECT_NE(said.find("only 1 of its deciders can; alice isn't reached by any step"), std::string::npos) << said;
}

TEST(RouteQuorum, ExcludesAnAllowWithTooLowAssurance) {
    auto said = quorum("ask = [ { channel = \"sms\", people = [\"bob\"] } ]\ndeciders = [\"bob\"]\n");
    EXPECT_NE(said.find("bob is only asked where less than assurance = \"chat\""), std::string::npos) << said;
    said = quorum("ask = [ { channel = \"tg\", chat = 7 } ]\ndeciders = [\"bob\"]\nassurance = \"token\"\n");
    EXPECT_NE(said.find("less than assurance = \"token\""), std::string::npos) << said;
    EXPECT_EQ(quorum("ask = [ { channel = \"web\" } ]\ndeciders = [\"carol\"]\nassurance = \"passkey\"\n",
                     two_people + "[people.carol]\ntoken = \"carol\"\nroles = [\"approve\"]\n"),
              "");
}

TEST(RouteQuorum, IsNotCheckedForARouteThatEndsWithDeny) {
    EXPECT_EQ(
        quorum("ask = [ { channel = \"tg\", chat = 1 } ]\ndeciders = [\"alice\"]\nrequired = 2\nends = \"deny\"\n"),
        "");
}

TEST(RouteQuorum, IsNotCheckedBeforeTheCommandOfAGroupHasRun) {
    EXPECT_EQ(quorum("ask = [ { channel = \"tg\", chat = 1 } ]\ndeciders = [\"@oncall\"]\nrequired = 2\n",
                     two_people + "[groups]\noncall = { exec = [\"/bin/true\"] }\n"),
              "");
}

TEST(RoutePlaces, EachKindDefinesValidPlacesForAStep) {
    const std::string deciders = "deciders = [\"alice\"]\nassurance = \"sms-code\"\n";
    EXPECT_NE(quorum(deciders + "ask = [ { channel = \"tg\" } ]\n").find("sent to nobody; write chat"),
              std::string::npos);
    EXPECT_NE(quorum(deciders + "ask = [ { channel = \"sms\" } ]\n").find("sent to nobody; write people"),
              std::string::npos);
    EXPECT_NE(quorum(deciders + "ask = [ { channel = \"sms\", chat = \"x\" } ]\n").find("goes to people"),
              std::string::npos);
    EXPECT_NE(quorum(deciders + "ask = [ { channel = \"tg\", chat = 1, people = [\"alice\"] } ]\n").find("not both"),
              std::string::npos);
    EXPECT_NE(quorum(deciders + "ask = [ { channel = \"tg\", chat = true } ]\n").find("a boolean, not a string"),
              std::string::npos);
}

TEST(RoutePlaces, ATelegramChatIsItsNumberEvenInQuotes) {
    for (const auto* id : {"77", "-100", "\"77\"", "\"-1001234567890\""}) {
        EXPECT_EQ(quorum(std::string{"deciders = [\"alice\"]\nask = [ { channel = \"tg\", chat = "} + id + " } ]\n"),
                  "");
    }
}

std::optional<RouteMatch> agent(const std::string& pattern) {
    RouteMatch match;
    match.agent = pattern;
    return match;
}

TEST(RouteCover, IsDetectedIfThePatternsShowIt) {
    EXPECT_TRUE(config::covers(std::nullopt, agent("x")));
    EXPECT_TRUE(config::covers(std::nullopt, std::nullopt));
    EXPECT_TRUE(config::covers(agent("*"), std::nullopt));
    EXPECT_TRUE(config::covers(agent("prod-*"), agent("prod-eu-*")));
    EXPECT_TRUE(config::covers(agent("prod-?"), agent("prod-1")));
    EXPECT_TRUE(config::covers(agent("prod-*"), agent("prod-?")));
}

TEST(RouteCover, IsNotClaimedInDoubt) {
    EXPECT_FALSE(config::covers(agent("x"), std::nullopt));
    EXPECT_FALSE(config::covers(agent("prod-eu-*"), agent("prod-*")));
    EXPECT_FALSE(config::covers(agent("prod-?"), agent("prod-*")));
    EXPECT_FALSE(config::covers(agent("?"), agent("*")));
    auto high = agent("prod-*");
    high->risk = RiskLevel::high;
    EXPECT_FALSE(config::covers(high, agent("prod-*")));
    EXPECT_TRUE(config::covers(agent("prod-*"), high));
    auto low = agent("prod-*");
    low->risk = RiskLevel::low;
    EXPECT_FALSE(config::covers(high, low));
    auto tool = agent("prod-*");
    tool->tool = "Bash";
    EXPECT_FALSE(config::covers(tool, agent("prod-*")));
}

}  // namespace
}  // namespace countersign::app
