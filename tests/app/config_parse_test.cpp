// SPDX-License-Identifier: Apache-2.0
#include "config/effective.hpp"
#include "core/json/write.hpp"
#include "tests/app/config_sample.hpp"

#include <gmock/gmock.h>

namespace countersign::app {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

TEST(Config, TheSmallestConfigurationIsValid) {
    const auto configuration = configuration_of(people + channels + routes);
    ASSERT_EQ(configuration.people.size(), 1U);
    const auto& alice = configuration.people.at("alice");
    EXPECT_EQ(alice.name, "alice");
    EXPECT_THAT(alice.principals, ElementsAre("terminal:1000"));
    EXPECT_THAT(alice.permissions, ElementsAre(Permission::approve));
    EXPECT_EQ(alice.language, "") << "that of the route";
    EXPECT_EQ(configuration.channels.at("desk").kind, "terminal");
    ASSERT_EQ(configuration.routes.size(), 1U);
    const auto& route = configuration.routes[0];
    EXPECT_EQ(route.name, "route-1");
    EXPECT_FALSE(route.match);
    EXPECT_EQ(route.required, 1U);
    EXPECT_EQ(route.assurance, Assurance::chat);
    EXPECT_FALSE(route.not_requester);
    EXPECT_FALSE(route.timeout);
    EXPECT_FALSE(route.ends_deny);
    EXPECT_EQ(configuration.log_origin, "countersign.local");
    EXPECT_TRUE(configuration.always.empty());
}

TEST(Config, TheExampleOfTheDesignIsValidIfItsKindsCanStart) {
    const auto configuration = configuration_of(data_file("tests/app/data/config/design.toml"), all_kinds);
    EXPECT_THAT(configuration.people.at("alice").principals,
                ElementsAre("telegram:77", "slack:T0123/U061F7AUR", "sms:+447700900123"));
    EXPECT_THAT(configuration.people.at("alice").permissions,
                ElementsAre(Permission::approve, Permission::approve_always));
    EXPECT_EQ(configuration.people.at("bob").language, "de");
    EXPECT_THAT(configuration.group_commands.at("oncall"), ElementsAre("/usr/local/bin/oncall"));
    EXPECT_TRUE(configuration.groups.at("oncall").empty());
    EXPECT_EQ(configuration.channels.at("phone").settings.at("mode"), "poll");
    ASSERT_EQ(configuration.routes.size(), 2U);
    const auto& first = configuration.routes[0];
    EXPECT_EQ(first.match->agent, "prod-*");
    EXPECT_EQ(first.match->risk, RiskLevel::high);
    ASSERT_EQ(first.steps.size(), 2U);
    EXPECT_EQ(first.steps[0].after, 0ms);
    EXPECT_EQ(first.steps[0].chat, "C0OPS");
    EXPECT_EQ(first.steps[1].after, 5min);
    EXPECT_THAT(first.steps[1].people, ElementsAre("alice", "bob"));
    EXPECT_THAT(first.deciders, ElementsAre("@oncall", "alice", "bob"));
    EXPECT_EQ(first.required, 2U);
    EXPECT_TRUE(first.not_requester);
    EXPECT_EQ(first.timeout, 30min);
    EXPECT_EQ(configuration.routes[1].steps[0].chat, "77");
    EXPECT_EQ(configuration.rules.policy.at(0).effect, PolicyEffect::allow);
    EXPECT_EQ(configuration.rules.policy.at(0).path, "src/*");
    EXPECT_EQ(configuration.rules.risk.at(0).level, RiskLevel::low);
    EXPECT_EQ(configuration.always_of("claude"), AlwaysMode::native);
    EXPECT_EQ(configuration.log_origin, "approvals.example.org");
}

TEST(Config, OnlyKindsOfThisReleaseCanStart) {
    const auto found = problems_of(data_file("tests/app/data/config/design.toml"));
    ASSERT_EQ(found.size(), 1U) << all_of(found);
    for (const auto& problem : found) {
        EXPECT_NE(problem.what.find("later release; this one has: terminal"), std::string::npos) << print(problem);
    }
}

TEST(Config, EveryIdOfAPersonBecomesAPrincipal) {
    const auto configuration = configuration_of(
        "[people.bob]\ndiscord = \"539000000000000001\"\ntoken = \"bob-laptop\"\n"
        "whatsapp = \"US.13491208655302741918\"\nsignal = \"0a1b2c3d-0000-4000-8000-0123456789ab\"\nterminal = 0\n" +
        people + channels + routes);
    EXPECT_THAT(configuration.people.at("bob").principals,
                ElementsAre("discord:539000000000000001", "terminal:0", "token:bob-laptop",
                            "whatsapp:US.13491208655302741918", "signal:0a1b2c3d-0000-4000-8000-0123456789ab"));
    EXPECT_TRUE(configuration.people.at("bob").permissions.empty());
}

TEST(Config, EverySettingOfEveryKindIsRead) {
    const std::string text =
        "[channels.a]\nkind=\"telegram\"\ntoken_file=\"/t\"\nwebhook_secret_file=\"/w\"\nmode=\"webhook\"\n"
        "base_url=\"http://127.0.0.1:8081\"\n"
        "[channels.b]\nkind=\"slack\"\ntoken_file=\"/t\"\nsigning_secret_file=\"/s\"\napp_token_file=\"/a\"\n"
        "[channels.c]\nkind=\"discord\"\ntoken_file=\"/t\"\napplication_id=\"290926444748734465\"\n"
        "public_key=\"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a\"\n"
        "[channels.d]\nkind=\"sms\"\naccount_sid=\"AC1\"\nauth_token_file=\"/t\"\nfrom=\"+447700900123\"\n"
        "webhook_url=\"https://example.org/sms\"\n"
        "[channels.e]\nkind=\"whatsapp\"\ntoken_file=\"/t\"\napp_secret_file=\"/s\"\nverify_token_file=\"/v\"\n"
        "phone_number_id=\"106540352242922\"\n"
        "[channels.f]\nkind=\"signal\"\naccount=\"+447700900123\"\nbase_url=\"http://[::1]:8080\"\n"
        "[channels.g]\nkind=\"console\"\n[channels.h]\nkind=\"terminal\"\nplain=true\n"
        "[gateway]\nlisten=\"127.0.0.1:8080\"\n";
    const auto configuration = configuration_of(people + channels + routes + text, all_kinds);
    EXPECT_EQ(configuration.channels.size(), 9U);
    EXPECT_EQ(configuration.channels.at("a").settings.size(), 4U);
    EXPECT_EQ(configuration.channels.at("h").settings.at("plain"), "true");
    EXPECT_EQ(configuration.channels.at("c").settings.at("application_id"), "290926444748734465");
}

TEST(Config, ARouteThatEndsWithDenyNeedsNoPersonWhoCanAllow) {
    const auto configuration = configuration_of("[people.bob]\n" + people + channels +
                                                "[[routes]]\nmatch = { agent = \"x\" }\ndeciders = [\"bob\"]\n"
                                                "ends = \"deny\"\nrequired = 2\n" +
                                                routes);
    EXPECT_TRUE(configuration.routes.at(0).ends_deny);
    EXPECT_TRUE(configuration.routes.at(0).steps.empty());
}

TEST(Config, ARouteAndAPersonHaveALanguageForCards) {
    auto text = data_file("tests/app/data/config/design.toml");
    for (const auto* tag : {"zh", "zh-CN", "de", "en"}) {
        auto with = text;
        with.replace(with.find("language = \"de\""), 15, "language = \"" + std::string{tag} + "\"");
        with.replace(with.find("[[routes]]"), 10, "[[routes]]\nlanguage = \"" + std::string{tag} + "\"");
        const auto configuration = configuration_of(with, all_kinds);
        EXPECT_EQ(configuration.people.at("bob").language, tag);
        EXPECT_EQ(configuration.routes.front().language, tag);
        EXPECT_EQ(configuration.routes.back().language, "en");
    }
}

TEST(Config, AStepCanNameATopicAndARouteSetsMentionsAndReminders) {
    const auto text = people + "telegram = 77\n" + channels +
                      "[channels.ops]\nkind = \"telegram\"\ntoken_file = \"/etc/countersign/token\"\n" +
                      "[[routes]]\nask = [ { channel = \"ops\", chat = -100200, topic = 12 } ]\n"
                      "deciders = [\"alice\"]\n";
    const auto as_it_is = configuration_of(text);
    EXPECT_EQ(as_it_is.routes.at(0).steps.at(0).chat, "-100200");
    EXPECT_EQ(as_it_is.routes.at(0).steps.at(0).thread, "12");
    EXPECT_TRUE(as_it_is.routes.at(0).mention);
    EXPECT_EQ(as_it_is.routes.at(0).remind, std::nullopt);
    const auto chosen = configuration_of(text + "mention = false\nremind = \"15m\"\n");
    EXPECT_FALSE(chosen.routes.at(0).mention);
    EXPECT_EQ(chosen.routes.at(0).remind, 15min);
    EXPECT_EQ(configuration_of(text + "remind = \"never\"\n").routes.at(0).remind, 0ms);
    EXPECT_EQ(configuration_of(text + "remind = \"1m\"\n").routes.at(0).remind, 1min);
    const auto record = json::canonical(config::effective(chosen));
    EXPECT_NE(record.find(R"("chat":"-100200","topic":"12")"), std::string::npos) << record;
    EXPECT_NE(record.find(R"("mention":false)"), std::string::npos) << record;
    EXPECT_NE(record.find(R"("remindMs":900000)"), std::string::npos) << record;
}

TEST(Config, TheEffectiveConfigurationIsWrittenWithoutSecretsAndInOneForm) {
    auto configuration = configuration_of(data_file("tests/app/data/config/design.toml"), all_kinds);
    configuration.group_commands["oncall"] = {"/usr/local/bin/oncall", "--key", "do-not-log"};
    configuration.groups["oncall"] = {"bob"};
    const auto text = json::canonical(config::effective(configuration));
    EXPECT_EQ(text.find("do-not-log"), std::string::npos);
    for (const auto* part :
         {R"("alice":{"principals":["telegram:77","slack:T0123/U061F7AUR","sms:+447700900123"],)"
          R"("roles":["approve","approve-always"]})",
          R"("groups":{"oncall":["bob"]})", R"("groupCommands":{"oncall":"/usr/local/bin/oncall"})",
          R"("bob":{"language":"de","principals")", R"("language":"en","match")", R"("assurance":"chat")",
          R"("deciders":["@oncall","alice","bob"])", R"("match":{"agent":"prod-*","risk":"high"})",
          R"("name":"route-1","notRequester":true,"required":2)", R"("timeoutMs":1800000)",
          R"({"afterMs":300000,"channel":"pager-sms","people":["alice","bob"]})",
          R"("policy":[{"effect":"allow","name":"read-the-tree","path":"src/*","tool":"Read"}])",
          R"("risk":[{"level":"low","name":"docs","path":"docs/*"}])", R"("always":{"claude":"native"})",
          R"("phone":{"kind":"telegram","settings":{"mode":"poll","token_file":"/etc/countersign/telegram"}})",
          R"("logOrigin":"approvals.example.org")"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
    }
}

// Every fenced block of the page is a whole configuration: examples that people copy must load.
TEST(Config, TheExamplesOfTheReferenceAreValid) {
    const auto page = data_file("docs/CONFIGURATION.md");
    const std::string fence = "```toml\n";
    std::vector<std::string> examples;
    for (auto at = page.find(fence); at != std::string::npos; at = page.find(fence, at + 1)) {
        const auto begin = at + fence.size();
        examples.push_back(page.substr(begin, page.find("```", begin) - begin));
    }
    ASSERT_EQ(examples.size(), 2U);
    EXPECT_EQ(all_of(problems_of(examples[0])), "");
    EXPECT_EQ(all_of(problems_of(examples[1], all_kinds)), "");
}

TEST(Config, TheReferenceNamesEveryKey) {
    const auto page = data_file("docs/CONFIGURATION.md");
    for (const auto& [known, available] : known_kinds().kinds) {
        const auto& kind = *known;
        EXPECT_NE(page.find("`" + std::string{kind.name} + "`"), std::string::npos) << kind.name;
        for (const auto& setting : kind.settings) {
            EXPECT_NE(page.find("`" + std::string{setting.name} + "`"), std::string::npos) << setting.name;
        }
    }
    for (const auto* key :
         {"telegram",      "slack",   "discord",   "sms",     "terminal", "token",  "whatsapp",  "signal",   "roles",
          "language",      "exec",    "kind",      "name",    "match",    "agent",  "runtime",   "tool",     "session",
          "risk",          "ask",     "after",     "channel", "chat",     "people", "deciders",  "required", "ends",
          "not_requester", "timeout", "assurance", "effect",  "command",  "path",   "risk_rule", "host",     "level",
          "origin",        "url",     "vkey",      "every",   "records"}) {
        EXPECT_NE(page.find("`" + std::string{key} + "`"), std::string::npos) << key;
    }
}

TEST(Config, APolicyRuleMayNameToolsARiskAndBuiltInOrOwnRiskRules) {
    const auto configuration = configuration_of(
        people + channels + routes +
        "[[policy]]\neffect = \"allow\"\ntool = [\"Read\", \"Grep\"]\nrisk = \"low\"\n"
        "[[policy]]\neffect = \"deny\"\nrisk_rule = [\"secret path\", \"payroll\"]\n"
        "[[risk]]\nname = \"payroll\"\nlevel = \"high\"\npath = \"/srv/payroll/*\"\ntool = [\"Read\", \"Edit\"]\n");
    const auto& rules = configuration.rules;
    EXPECT_EQ(rules.policy.at(0).tool, (Patterns{std::vector<std::string>{"Read", "Grep"}}));
    EXPECT_EQ(rules.policy.at(0).risk, RiskLevel::low);
    EXPECT_EQ(rules.policy.at(1).risk_rule, (Patterns{std::vector<std::string>{"secret path", "payroll"}}));
    EXPECT_TRUE(rules.risk.at(0).tool.fits("Edit"));
    const auto printed = json::canonical(config::effective(configuration));
    EXPECT_NE(printed.find(R"("tool":["Read","Grep"])"), std::string::npos) << printed;
    EXPECT_NE(printed.find(R"("risk":"low")"), std::string::npos);
    EXPECT_NE(printed.find(R"("riskRule":["secret path","payroll"])"), std::string::npos);
}

TEST(Config, TheReferenceListsEveryBuiltInRiskRule) {
    const auto page = data_file("docs/CONFIGURATION.md");
    for (const auto& rule : built_in_risk_rules()) {
        EXPECT_NE(page.find("`" + std::string{rule.name} + "`"), std::string::npos) << rule.name;
    }
}

TEST(Config, TheShippedSampleIsValid) { EXPECT_EQ(all_of(problems_of(data_file("deploy/countersign.toml"))), ""); }

}  // namespace
}  // namespace countersign::app
