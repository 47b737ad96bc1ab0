// SPDX-License-Identifier: Apache-2.0
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "sidecar/request_codec.hpp"
#include "sidecar/wire.hpp"
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::sidecar {
namespace {

using fakes::question_request;
using fakes::shell_request;
using testing::HasSubstr;

Ulid an_id() { return *Ulid::parse("01HZXAAAAAAAAAAAAAAAAAAAA1"); }

std::vector<Message> one_of_each() {
    auto full = shell_request(an_id(), "echo \"a\nb\u202E\"");
    full.timeout = std::chrono::minutes{5};
    full.authorized_senders = std::vector<std::string>{"telegram:77"};
    full.judgement = {.risk = {RiskLevel::medium, "edits"}, .policy = {PolicyEffect::deny, "no"}, .may_grant = true};
    std::get<Approval>(full.body).diff = "-old\n+new";
    std::get<Approval>(full.body).summary = "echo";
    std::get<Approval>(full.body).suspect_hosts = {
        {SuspectHost::Kind::looks_alike, "аррӏе.com", "xn--80ak6aa92e.com", "apple.com"},
        {SuspectHost::Kind::unreadable, "xn--.com", "", ""}};
    full.script_hash = std::string(64, 'c');
    full.grant_note = "not what make reads";
    full.takes_edits = true;
    full.workplace = {.host = "build-7", .repository = "git.example/acme/shop", .branch = "main"};
    auto shell = shell_request(an_id());
    std::get<Approval>(shell.body).subject = ShellExec{};
    return {Hello{"a1b2"},
            Hello{"a1b2", "claude", "default"},
            Hello{"a1b2", "claude", "default", true},
            Welcome{std::nullopt, ""},
            Welcome{std::nullopt, "", "claude was halted by alice"},
            Narrated{"? asked on phone: Bash: ls"},
            Welcome{Errc::conflict, "other rules"},
            Ask{full},
            Ask{shell},
            Ask{question_request(an_id())},
            Withdraw{an_id(), "no longer"},
            Gone{"it ended"},
            Gone{"it ended", {"dev", "s1"}},
            SessionEnded{""},
            SessionEnded{"exited with 1", {"dev", "s1"}},
            Unreadable{"dev", Errc::too_large, "a line of 9 bytes"},
            Unasked{{.agent_id = "dev", .tool_name = "Read", .summary = "/etc/hosts"}},
            Unasked{{.agent_id = "dev",
                     .tool_name = "Bash",
                     .summary = "ls",
                     .session_key = "s",
                     .display_text = "ls\n-l",
                     .failed = true}},
            Asked{an_id(), std::nullopt, ""},
            Asked{an_id(), Errc::conflict, "was used"},
            Forwarded{an_id(), std::nullopt, ""},
            Forwarded{an_id(), Errc::unavailable, "gone"},
            Interrupt{1, "halted by alice", {"dev", ""}},
            Interrupt{2, "halted by alice", {"dev", "s1"}},
            Interrupted{1, std::nullopt, ""},
            Interrupted{2, Errc::unsupported, "no way"},
            GiveOrder{false, "night build"},
            GiveOrder{true, "dev"},
            OrderCarried{std::nullopt, "", "Halted: dev."},
            OrderCarried{Errc::not_authorised, "not a decider", "You may not do this."},
            Reload{},
            Reloaded{std::nullopt, ""},
            Reloaded{Errc::bad_config, "line one\nline two"},
            ListHub{"status"},
            HubListed{json::Object{{"ready", true}}},
            ListOutbox{},
            OutboxListed{json::Object{{"channels", json::Array{}}, {"deadLettersTotal", 3}}},
            TimedVerdict{{.request_id = an_id(),
                          .outcome = Outcome::answered,
                          .option_id = "allow",
                          .answers = {{"q1", {"A", "B"}, "text"}},
                          .reason = "because",
                          .args_hash = "abc",
                          .edited_input = "{\"command\":\"ls\"}"},
                         BootTime{std::chrono::milliseconds{123}}}};
}

TEST(SidecarWire, AnInterruptOfAnOlderProgramHasNoNumber) {
    EXPECT_EQ(*parse(R"({"type":"interrupt","why":"halted by alice"})"), (Message{Interrupt{0, "halted by alice"}}));
    EXPECT_EQ(*parse(R"({"type":"interrupted"})"), (Message{Interrupted{0, std::nullopt, ""}}));
}

TEST(SidecarWire, AnUnaskedCallOfAnOlderProgramHasOnlyItsSummary) {
    EXPECT_EQ(*parse(R"({"type":"unasked","agentId":"dev","toolName":"Read","summary":"a"})"),
              (Message{Unasked{{.agent_id = "dev", .tool_name = "Read", .summary = "a"}}}));
    EXPECT_EQ(*parse(R"({"type":"unasked","agentId":"dev","toolName":"Read"})"),
              (Message{Unasked{{.agent_id = "dev", .tool_name = "Read", .summary = ""}}}));
}

TEST(SidecarWire, EveryMessageIsReadBackAsItWas) {
    for (const auto& message : one_of_each()) {
        const auto line = print(message);
        EXPECT_EQ(line.find('\n'), std::string::npos);
        const auto back = parse(line);
        ASSERT_TRUE(back) << line << describe(back.error());
        EXPECT_EQ(*back, message) << line;
    }
}

// Each member in turn is replaced by a value of another type: that is never a valid message, and never a crash.
TEST(SidecarWire, AMessageWithAMemberOfTheWrongTypeIsRefused) {
    std::size_t tried = 0;
    for (const auto& message : one_of_each()) {
        const auto document = json::read(print(message));
        const auto& members = document->value.object()->members();
        for (std::size_t i = 0; i < members.size(); ++i) {
            auto without = *document->value.object();
            without.members()[i].second = json::Array{json::Value{7}};
            if (members[i].first == "answers" || members[i].first == "detail") continue;
            EXPECT_FALSE(parse(json::canonical(without))) << members[i].first << " of " << print(message);
            ++tried;
        }
    }
    EXPECT_GT(tried, 30U);
}

TEST(SidecarWire, I13_ARequestPastABoundNamesTheMember) {
    auto request = shell_request(an_id());
    std::get<Approval>(request.body).display_text.assign(limits::display_text_bytes_max + 1, 'x');
    const auto back = request_of(json_of(request));
    ASSERT_FALSE(back);
    EXPECT_THAT(back.error().detail, HasSubstr("approval.displayText"));
    auto many = shell_request(an_id());
    auto& options = std::get<Approval>(many.body).options;
    options.resize(limits::options_max + 1, options.front());
    EXPECT_THAT(request_of(json_of(many)).error().detail, HasSubstr("options"));
    auto hosts = shell_request(an_id());
    std::get<Approval>(hosts.body).suspect_hosts.resize(limits::suspect_hosts_max);
    EXPECT_TRUE(request_of(json_of(hosts)));
    std::get<Approval>(hosts.body).suspect_hosts.resize(limits::suspect_hosts_max + 1);
    EXPECT_THAT(request_of(json_of(hosts)).error().detail, HasSubstr("suspectHosts"));
    auto noted = shell_request(an_id());
    noted.grant_note.assign(limits::option_detail_bytes_max, 'x');
    EXPECT_TRUE(request_of(json_of(noted)));
    noted.grant_note += 'x';
    EXPECT_THAT(request_of(json_of(noted)).error().detail, HasSubstr("grantNote"));
    for (auto Workplace::* const member : {&Workplace::host, &Workplace::repository, &Workplace::branch}) {
        auto placed = shell_request(an_id());
        (placed.workplace.*member).assign(limits::workplace_text_bytes_max, 'x');
        EXPECT_TRUE(request_of(json_of(placed)));
        (placed.workplace.*member) += 'x';
        EXPECT_FALSE(request_of(json_of(placed)));
    }
}

TEST(SidecarWire, InvalidTextIsNotAMessage) {
    for (const auto* line : {"", "{", "7", "[]", "{}", R"({"type":"serve"})", R"({"type":"ask"})"}) {
        EXPECT_FALSE(parse(line)) << line;
    }
}

}  // namespace
}  // namespace countersign::sidecar
