// SPDX-License-Identifier: Apache-2.0
#include "runtimes/suspect_hosts.hpp"

#include "core/limits.hpp"
#include "core/policy.hpp"
#include "runtimes/call_facts.hpp"
#include "tests/runtimes/test_redactor.hpp"

#include <gtest/gtest.h>

namespace countersign::runtimes {
namespace {

struct Found {
    std::vector<SuspectHost> hosts;
    Judgement judgement;
};

Found in_command(const std::string& command, const Rules& rules = {}) {
    auto facts = facts_of_tool("Bash", json::Object{{"command", command}}, true);
    Found found{.hosts = find_suspect_hosts(facts, test_redactor()), .judgement = {}};
    found.judgement = judge(facts, rules);
    return found;
}

TEST(SuspectHosts, ALookAlikeIsFoundInAUrlAndAsABareWord) {
    for (const auto* command : {"curl https://gіthub.com/x", "ssh git@gіthub.com", "git clone git@gіthub.com:a/b",
                                "ping gіthub.com", "curl 'gіthub.com/x?y'", "curl xn--gthub-n2e.com",
                                "wget --header=a http://ok.example http://u:p@gіthub.com:80/"}) {
        const auto found = in_command(command);
        ASSERT_EQ(found.hosts.size(), 1U) << command;
        EXPECT_EQ(found.hosts[0].looks_like, "github.com") << command;
        EXPECT_EQ(found.judgement.risk, (Risk{RiskLevel::high, "look-alike-host"})) << command;
    }
}

TEST(SuspectHosts, AnHonestCallIsJudgedAsBefore) {
    for (const auto* command : {"ls", "curl https://example.com", "cat файл.txt", "cat отчётA.txt", "echo привет",
                                "curl https://münchen.de", "echo a..b ... ."}) {
        const auto found = in_command(command);
        EXPECT_TRUE(found.hosts.empty()) << command;
        EXPECT_NE(found.judgement.risk.rule, "look-alike-host") << command;
    }
}

TEST(SuspectHosts, PunycodeIsDecodedForDisplayAndDoesNotRaiseTheRisk) {
    const auto found = in_command("curl https://xn--mnchen-3ya.de");
    ASSERT_EQ(found.hosts.size(), 1U);
    EXPECT_EQ(found.hosts[0].shown, "münchen.de");
    EXPECT_EQ(found.judgement.risk, in_command("curl https://example.com").judgement.risk);
}

// A pattern that was meant for the host that is being imitated.
TEST(SuspectHosts, NoRowOfTheOperatorsTableLowersALookAlike) {
    const Rules rules{.risk = {{.name = "all", .host = "*", .level = RiskLevel::low}}, .policy = {}};
    CallFacts facts = facts_of_tool("WebFetch", json::Object{{"url", "https://xn--gthub-n2e.com/x"}}, true);
    EXPECT_EQ(find_suspect_hosts(facts, test_redactor()).size(), 1U);
    EXPECT_EQ(judge(facts, rules).risk, (Risk{RiskLevel::high, "look-alike-host"}));
    facts.look_alike_host = false;
    EXPECT_EQ(judge(facts, rules).risk, (Risk{RiskLevel::low, "all"}));
}

TEST(SuspectHosts, AFileMayMentionAnyHost) {
    auto facts = facts_of_tool(
        "Write", json::Object{{"file_path", "/srv/app/a.md"}, {"content", "see https://gіthub.com"}}, true);
    EXPECT_TRUE(find_suspect_hosts(facts, test_redactor()).empty());
}

TEST(SuspectHosts, TheShownHostIsRedactedAndSanitised) {
    const auto found = in_command("curl https://a\u202Eб" + canary + ".com");
    ASSERT_FALSE(found.hosts.empty());
    for (const auto& host : found.hosts) {
        for (const auto& text : {host.shown, host.ascii, host.looks_like}) {
            EXPECT_EQ(text.find(canary), std::string::npos) << text;
            EXPECT_EQ(text.find("\u202E"), std::string::npos) << text;
        }
    }
}

TEST(SuspectHosts, I13_ABoundedNumberIsNamedAndDeceivingOnesFirst) {
    std::string command = "curl https://xn--mnchen-3ya.de";
    for (std::size_t at = 0; at < limits::suspect_hosts_max; ++at) {
        command += " https://аррӏе" + std::to_string(at) + ".com https://аррӏе0.com";
        const auto found = in_command(command);
        EXPECT_EQ(found.hosts.size(), std::min(at + 2, limits::suspect_hosts_max)) << "each once";
        EXPECT_EQ(found.hosts[0].looks_like, "apple0.com");
    }
    EXPECT_EQ(in_command(command).hosts.back().kind, SuspectHost::Kind::looks_alike);
    EXPECT_EQ(in_command(command + " https://аррӏе9.com").hosts.size(), limits::suspect_hosts_max);
}

}  // namespace
}  // namespace countersign::runtimes
