// SPDX-License-Identifier: Apache-2.0
#include "core/limits.hpp"
#include "runtimes/call_facts.hpp"
#include "runtimes/codex/outgoing.hpp"
#include "runtimes/codex/shell_script.hpp"
#include "security/args_hash.hpp"
#include "tests/runtimes/codex_sample.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace countersign::runtimes::codex {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> options_in(const Result<Translated>& translated) {
    std::vector<std::string> found;
    for (const auto& option : approval_in(translated).options) {
        found.push_back(option.option_id + ":" + std::string{name(option.effect)} + ":" +
                        std::string{name(option.scope)} + (option.exact_call ? "" : ":wide"));
    }
    return found;
}
const Option& option_in(const Approval& approval, std::string_view id) {
    return *std::ranges::find(approval.options, id, &Option::option_id);
}

TEST(CodexTranslate, ACommandIsAShellCommandAsSentAndItsScriptIsJudged) {
    const auto translated = made_command("/bin/bash -lc 'touch /w/x'");
    ASSERT_TRUE(translated) << describe(translated.error());
    const auto& request = translated->request;
    EXPECT_EQ(request.runtime, "codex");
    EXPECT_EQ(tool_name_of(request), "shell");
    EXPECT_EQ(request.cwd, "/w");
    EXPECT_EQ(request.session_key, "t1");
    EXPECT_EQ(approval_in(translated).display_text, "/bin/bash -lc 'touch /w/x'");
    EXPECT_EQ(summary_of(request), "touch /w/x");
    EXPECT_EQ(request.args_hash, security::args_hash_shell({"/bin/bash -lc 'touch /w/x'"}, "/w").value());
    EXPECT_EQ(request.native_key, security::native_key("codex", "t1", "0"));
    EXPECT_EQ(approval_in(translated).untrusted_reason, "");
}

TEST(CodexTranslate, OnlyAShellWithOneScriptIsUnwrapped) {
    EXPECT_EQ(script_in("/bin/bash -lc 'touch /w/x'"), "touch /w/x");
    EXPECT_EQ(script_in("bash -c ls"), "ls");
    EXPECT_EQ(script_in(R"(/usr/bin/zsh -lc "echo \"a b\" 'c'")"), R"(echo "a b" 'c')");
    EXPECT_EQ(script_in(R"(/bin/sh -lc 'it'\''s')"), "it's");
    EXPECT_EQ(script_in("/bin/bash -lc 'one\ntwo'"), "one\ntwo");
    for (const auto* line :
         {"", "ls", "bash -c", "bash -lc 'a' b", "/tmp/bash -lc a", "bash -ic a", "bash  -lc a", "bash -lc 'a",
          "bash -lc \"$(a)\"", "bash -lc a;b", "bash -lc a&&b", "x=1 bash -lc a", "bash -lc `a`", "bash -lc a ",
          "python -lc a", "bash -lc \"a\\n\"", "/bin/../tmp/bash -lc a"}) {
        EXPECT_EQ(script_in(line), std::nullopt) << line;
    }
}

TEST(CodexTranslate, AnyScriptIsReadBackAsItWasQuoted) {
    std::uint32_t state = 1;
    const auto next = [&state] { return state = state * 1664525U + 1013904223U; };
    constexpr std::string_view letters = "ab '\"\\$`!;&|<>()*?[]{}#~=\n\t-/.:é";
    for (int round = 0; round < 2'000; ++round) {
        std::string script;
        for (auto length = next() >> 28U; length > 0; --length) script += letters[(next() >> 16U) % letters.size()];
        const auto line = command_line({"/bin/bash", "-lc", script});
        EXPECT_EQ(script_in(line), script) << line;
    }
}

TEST(CodexTranslate, APolicyRuleSeesTheScriptAndNeverAWrapperInIt) {
    const Rules rules{.risk = {}, .policy = {{.name = "ls", .effect = PolicyEffect::allow, .command = "ls *"}}};
    const auto effect = [&](const std::string& command) {
        return made_command(command, context(rules))->request.judgement.policy.effect;
    };
    EXPECT_EQ(effect("/bin/bash -lc 'ls src'"), PolicyEffect::allow);
    EXPECT_EQ(effect("/bin/bash -lc 'ls src; rm x'"), PolicyEffect::ask);
    EXPECT_EQ(effect("/bin/bash -lc 'ls $(rm x)'"), PolicyEffect::ask);
    EXPECT_EQ(effect("/bin/bash -lc \"bash -lc 'ls src'\""), PolicyEffect::ask);
    EXPECT_EQ(effect("/bin/bash -lc 'ls src' && rm x"), PolicyEffect::ask);
}

TEST(CodexTranslate, I14_EachOfferedDecisionIsSentBackByteForByte) {
    const auto translated = made(AskKind::command, command_params(), native_context());
    EXPECT_THAT(options_in(translated),
                ElementsAre("accept:allow:once", "d1:allow:always:wide", "cancel:cancel:once", "decline:deny:once"));
    EXPECT_EQ(*allowed(translated, "accept"), R"({"decision":"accept"})");
    EXPECT_EQ(*allowed(translated, "d1"), R"({"decision":)" + amendment + "}") << "also its white space";
    EXPECT_EQ(*denied(translated, "decline"), R"({"decision":"decline"})");
    EXPECT_EQ(*denied(translated, "cancel", Outcome::cancelled), R"({"decision":"cancel"})");
    const auto approval = approval_in(translated);
    EXPECT_THAT(option_in(approval, "d1").detail, HasSubstr(R"(begins with these words runs without asking, in all)"));
    EXPECT_THAT(option_in(approval, "d1").detail, HasSubstr(R"("touch" "/w/x")"));
}

TEST(CodexTranslate, I8_WithoutNativeAlwaysOnlyOurOwnGrantLasts) {
    const auto translated = made(AskKind::command, command_params());
    EXPECT_THAT(options_in(translated),
                ElementsAre("accept:allow:once", "cancel:cancel:once", "decline:deny:once", "session:allow:session"));
    EXPECT_EQ(*allowed(translated, "session"), R"({"decision":"accept"})") << "Codex never hears of the grant";
    const auto session =
        made(AskKind::command, command_params("ls", R"(,"availableDecisions":["accept","acceptForSession"])"),
             native_context());
    EXPECT_THAT(options_in(session),
                ElementsAre("accept:allow:once", "acceptForSession:allow:session", "decline:deny:once"));
    EXPECT_EQ(*allowed(session, "acceptForSession"), R"({"decision":"acceptForSession"})");
}

TEST(CodexTranslate, NetworkRulesSayTheirHostAndWhatTheyDo) {
    const std::string allow = R"({"applyNetworkPolicyAmendment":{"network_policy_amendment":)"
                              R"({"host":"example.com","action":"allow"}}})";
    const std::string deny = R"({"applyNetworkPolicyAmendment":{"network_policy_amendment":)"
                             R"({"host":"example.com","action":"deny"}}})";
    const auto params =
        command_params("curl example.com", R"(,"networkApprovalContext":{"host":"example.com","protocol":"https"},)"
                                           R"("availableDecisions":["accept",)" +
                                               allow + "," + deny + "]");
    const auto translated = made(AskKind::command, params, native_context());
    ASSERT_TRUE(translated);
    EXPECT_EQ(tool_name_of(translated->request), "network_access");
    EXPECT_THAT(approval_in(translated).display_text, HasSubstr("example.com"));
    EXPECT_THAT(approval_in(translated).display_text, HasSubstr("curl example.com"));
    EXPECT_THAT(options_in(translated),
                ElementsAre("accept:allow:once", "d1:allow:always:wide", "d2:deny:always:wide", "decline:deny:once"));
    EXPECT_EQ(*allowed(translated, "d1"), R"({"decision":)" + allow + "}");
    EXPECT_EQ(*denied(translated, "d2"), R"({"decision":)" + deny + "}");
    EXPECT_THAT(option_in(approval_in(translated), "d1").detail, HasSubstr("without asking from now on: example.com"));
}

TEST(CodexTranslate, UnknownDecisionsAreNotOffered) {
    const auto translated =
        made(AskKind::command,
             command_params(
                 "ls", R"(,"availableDecisions":["acceptEverything",{"accept":true},7,null,"cancel",)"
                       R"({"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["ls"],"more":1}},)"
                       R"({"acceptWithExecpolicyAmendment":{"execpolicy_amendment":[]}},)"
                       R"({"applyNetworkPolicyAmendment":{"network_policy_amendment":{"host":"x","action":"?"}}}])"),
             native_context());
    EXPECT_THAT(options_in(translated), ElementsAre("cancel:cancel:once", "decline:deny:once"));
    EXPECT_EQ(allowed(translated, "accept").error().code, Errc::unknown_option);
}

TEST(CodexTranslate, AServerThatListsNoDecisionsGetsThoseOfItsProtocol) {
    const auto translated = made(AskKind::command, command_params("ls", ""));
    EXPECT_THAT(options_in(translated),
                ElementsAre("accept:allow:once", "cancel:cancel:once", "decline:deny:once", "session:allow:session"));
}

TEST(CodexTranslate, I8_AHumanCommandIsForAPersonOnceAndNothingElseCanAnswerIt) {
    const Rules rules{.risk = {}, .policy = {{.name = "all", .effect = PolicyEffect::allow, .command = "touch *"}}};
    ASSERT_EQ(made(AskKind::command, command_params(), context(rules))->request.judgement.policy.effect,
              PolicyEffect::allow);
    for (const auto always : {AlwaysMode::grant, AlwaysMode::native}) {
        const auto translated = made(AskKind::command, human_params, context(rules, always));
        const auto& judgement = translated->request.judgement;
        EXPECT_EQ(judgement.policy.effect, PolicyEffect::ask);
        EXPECT_FALSE(judgement.may_grant);
        EXPECT_THAT(options_in(translated),
                    ElementsAre("accept:allow:once", "decline:deny:once", "cancel:cancel:once"));
        EXPECT_EQ(tool_name_of(translated->request), "shell");
        EXPECT_EQ(approval_in(translated).untrusted_reason, "requires human approval");
    }
    const auto first = made(AskKind::command, human_params);
    auto again = human_params;
    again.replace(again.find("a-1"), 3, "a-2");
    EXPECT_NE(first->request.args_hash.hex, made(AskKind::command, again)->request.args_hash.hex)
        << "two requests for one command do not share a card";
    EXPECT_NE(first->request.args_hash.hex, made(AskKind::command, command_params())->request.args_hash.hex);
    const Rules deny{.risk = {}, .policy = {{.name = "no", .effect = PolicyEffect::deny, .command = "touch *"}}};
    EXPECT_EQ(made(AskKind::command, human_params, context(deny))->request.judgement.policy.effect, PolicyEffect::deny);
}

TEST(CodexTranslate, I9_WhatWidensACommandIsHashedAndShownAndNotAllowedByARule) {
    const Rules rules{.risk = {}, .policy = {{.name = "all", .effect = PolicyEffect::allow, .command = "touch *"}}};
    const auto plain = made(AskKind::command, command_params(), context(rules));
    for (const auto* more :
         {R"(,"additionalPermissions":{"network":{"enabled":true},"fileSystem":null})", R"(,"runsElsewhere":true)"}) {
        const auto wider =
            made(AskKind::command, command_params("/bin/bash -lc 'touch /w/x'", offers + more), context(rules));
        EXPECT_NE(wider->request.args_hash.hex, plain->request.args_hash.hex) << more;
        EXPECT_THAT(approval_in(wider).display_text, HasSubstr("other arguments: ")) << more;
        EXPECT_EQ(wider->request.judgement.policy.effect, PolicyEffect::ask) << more;
    }
    auto elsewhere = command_params();
    elsewhere.replace(elsewhere.find("local"), 5, "cloud");
    EXPECT_NE(made(AskKind::command, elsewhere)->request.args_hash.hex, plain->request.args_hash.hex);
}

TEST(CodexTranslate, AKindOfCommandThatIsNewToUsIsShownWholeAndAskedEachTime) {
    const auto translated = made(
        AskKind::command, command_params("y\n", R"(,"availableDecisions":["accept"],"processId":7)", "writeStdin"));
    ASSERT_TRUE(translated);
    EXPECT_EQ(tool_name_of(translated->request), "writeStdin");
    EXPECT_THAT(approval_in(translated).display_text, HasSubstr(R"("processId": 7)"));
    EXPECT_FALSE(translated->request.judgement.may_grant);
    EXPECT_THAT(options_in(translated), ElementsAre("accept:allow:once", "decline:deny:once"));
    EXPECT_EQ(made(AskKind::command, "{" + ids + R"(,"command":null})").error().code, Errc::malformed);
}

TEST(CodexTranslate, FileChangesAreShownWithTheDiffOfTheirItem) {
    const auto translated = made(AskKind::file_change, change_params);
    ASSERT_TRUE(translated) << describe(translated.error());
    EXPECT_EQ(tool_name_of(translated->request), "apply_patch");
    EXPECT_EQ(approval_in(translated).display_text, "add /w/new.txt");
    EXPECT_EQ(approval_in(translated).diff, "+hello\n");
    EXPECT_EQ(summary_of(translated->request), "/w/new.txt");
    EXPECT_THAT(options_in(translated),
                ElementsAre("accept:allow:once", "decline:deny:once", "cancel:cancel:once", "session:allow:session"));
    EXPECT_EQ(*allowed(translated, "session"), R"({"decision":"accept"})");
    auto ask = ask_of(AskKind::file_change, change_params);
    EXPECT_EQ(translate(ask, context()).error().code, Errc::malformed) << "the changes are unknown";
    ask.changes = R"([{"path":"/w/new.txt","kind":{"type":"add"},"diff":"other\n"}])";
    EXPECT_NE(translate(ask, context())->request.args_hash.hex, translated->request.args_hash.hex);
    const auto native = made(AskKind::file_change, change_params, native_context());
    EXPECT_THAT(options_in(native), ElementsAre("accept:allow:once", "decline:deny:once", "cancel:cancel:once",
                                                "acceptForSession:allow:session:wide"));
}

TEST(CodexTranslate, SeveralChangesAreListedAndUnknownMembersShownAsSent) {
    auto ask = ask_of(AskKind::file_change, change_params);
    ask.changes = R"([{"path":"/w/a","kind":{"type":"delete"},"diff":"bye\n"},)"
                  R"({"path":"/w/b","kind":{"type":"update","move_path":"/w/c"},"diff":"@@ -1 +1 @@\n-one\n+two"}])";
    const auto translated = translate(ask, context());
    EXPECT_EQ(approval_in(translated).display_text, "delete /w/a\nupdate /w/b, moved to /w/c");
    EXPECT_EQ(approval_in(translated).diff,
              "=== delete /w/a\n-bye\n=== update /w/b, moved to /w/c\n@@ -1 +1 @@\n-one\n+two\n");
    const Rules rules{
        .risk = {}, .policy = {{.name = "w", .effect = PolicyEffect::allow, .tool = {"apply_patch"}, .path = "/w/*"}}};
    ask.changes = R"([{"path":"/w/a","kind":{"type":"add"},"diff":"x","mode":"setuid"}])";
    const auto unknown = translate(ask, context(rules));
    EXPECT_THAT(approval_in(unknown).display_text, HasSubstr("\"mode\":\"setuid\""));
    EXPECT_EQ(unknown->request.judgement.policy.effect, PolicyEffect::ask);
}

TEST(CodexTranslate, ARootToWriteBelowIsShownAndNeverAllowedForLonger) {
    auto params = change_params;
    params.replace(params.find(R"("grantRoot":null)"), 16, R"("grantRoot":"/home")");
    const auto translated = made(AskKind::file_change, params);
    EXPECT_THAT(approval_in(translated).display_text, HasSubstr(R"("grantRoot": "/home")"));
    EXPECT_FALSE(translated->request.judgement.may_grant);
    EXPECT_THAT(options_in(translated), ElementsAre("accept:allow:once", "decline:deny:once", "cancel:cancel:once"));
}

TEST(CodexTranslate, I6_SecretsInChangesAreMaskedAlsoBehindTheSignsOfADiff) {
    auto ask = ask_of(AskKind::file_change, change_params);
    ask.changes = R"([{"path":"/w/.env","kind":{"type":"add"},"diff":"GITHUB_TOKEN=)" + canary +
                  R"(\n"},{"path":"/w/k","kind":{"type":"update","move_path":null},"diff":"@@ -1 +1 @@\n-a\n+)" +
                  canary + R"(\n"}])";
    const auto translated = translate(ask, context());
    EXPECT_THAT(shown_text(translated->request), Not(HasSubstr(canary)));

    // A key of several lines, which a sign at the start of each line would hide from the redactor.
    const std::string begin = "-----BEGIN RSA PRIVATE";
    const std::vector<std::string> lines{begin + " KEY-----", "MIIEowIBAAKCAQEAx7Yq", "b3cJ9sUeJr0PVmXwEbYZ",
                                         "-----END RSA PRIVATE KEY-----"};
    std::string content;
    std::string diff = "@@ -1 +1,5 @@\\n-old\\n";
    for (const auto& line : lines) {
        content += line + "\\n";
        diff += "+" + line + "\\n";
    }
    ask.changes = R"([{"path":"/w/a","kind":{"type":"add"},"diff":")" + content +
                  R"("},{"path":"/w/b","kind":{"type":"delete"},"diff":")" + content +
                  R"("},{"path":"/w/c","kind":{"type":"update","move_path":null},"diff":")" + diff + R"("}])";
    const auto keys = translate(ask, context());
    ASSERT_TRUE(keys) << describe(keys.error());
    EXPECT_THAT(shown_text(keys->request), Not(HasSubstr("b3cJ9sUeJr0PVmXwEbYZ")));
    EXPECT_THAT(approval_in(keys).diff, HasSubstr("-old\n+"));
}

TEST(CodexTranslate, TheFirstProtocolVersionIsUnderstood) {
    const auto command = made(AskKind::old_command, old_command_params, native_context());
    ASSERT_TRUE(command) << describe(command.error());
    EXPECT_EQ(approval_in(command).display_text, "bash -lc make");
    EXPECT_EQ(approval_in(command).untrusted_reason, "to build");
    EXPECT_EQ(command->request.args_hash, security::args_hash_shell({"bash", "-lc", "make"}, "/w").value());
    EXPECT_THAT(options_in(command), ElementsAre("approved:allow:once", "denied:deny:once", "cancel:cancel:once",
                                                 "approved_for_session:allow:session:wide"));
    EXPECT_EQ(*allowed(command, "approved"), R"({"decision":"approved"})");
    EXPECT_EQ(*allowed(command, "approved_for_session"), R"({"decision":"approved_for_session"})");
    EXPECT_EQ(*denied(command, "denied"), R"({"decision":{"denied":{"rejection":"This was denied: not today"}}})");
    EXPECT_EQ(*denied(command, "cancel", Outcome::cancelled), R"({"decision":"abort"})");
    const auto patch = made(AskKind::old_patch, old_patch_params);
    EXPECT_EQ(approval_in(patch).display_text, "update /w/a");
    EXPECT_EQ(approval_in(patch).diff, "@@ -1 +1 @@\n-one\n+two\n");
}

TEST(CodexTranslate, PermissionsAreGrantedForTheTurnExactlyAsAskedOrNotAtAll) {
    for (const auto always : {AlwaysMode::grant, AlwaysMode::native}) {
        const auto translated = made(AskKind::permissions, permission_params, context(no_rules, always));
        ASSERT_TRUE(translated);
        EXPECT_EQ(tool_name_of(translated->request), "request_permissions");
        EXPECT_THAT(approval_in(translated).display_text, HasSubstr("/outside"));
        EXPECT_EQ(approval_in(translated).untrusted_reason, "need net");
        EXPECT_EQ(translated->request.judgement.risk.level, RiskLevel::high);
        EXPECT_FALSE(translated->request.judgement.may_grant);
        EXPECT_THAT(options_in(translated), ElementsAre("turn:allow:once", "deny:deny:once"));
        EXPECT_EQ(*allowed(translated, "turn"), R"({"permissions":)" + asked_permissions + R"(,"scope":"turn"})");
        EXPECT_EQ(*denied(translated, "deny"), R"({"permissions":{},"scope":"turn"})");
    }
    auto without = permission_params;
    without.replace(without.find(R"({"enabled":true})"), 16, "null");
    EXPECT_THAT(*allowed(made(AskKind::permissions, without), "turn"), Not(HasSubstr("network")));
}

TEST(CodexTranslate, AnMcpToolIsNamedByItsItemAndItsApprovalShowsTheArguments) {
    const auto translated = made(AskKind::elicitation, tool_params, native_context());
    ASSERT_TRUE(translated) << describe(translated.error());
    EXPECT_EQ(tool_name_of(translated->request), "mcp__demo__ask");
    EXPECT_EQ(translated->request.args_hash, security::args_hash("mcp__demo__ask", R"({"text":"hi"})").value());
    EXPECT_THAT(approval_in(translated).display_text, HasSubstr(R"("text": "hi")"));
    EXPECT_THAT(approval_in(translated).untrusted_reason, HasSubstr("Allow the demo MCP server"));
    EXPECT_THAT(options_in(translated),
                ElementsAre("accept:allow:once", "decline:deny:once", "cancel:cancel:once",
                            "persist_session:allow:session:wide", "persist_always:allow:always:wide"));
    EXPECT_EQ(*allowed(translated, "accept"), R"({"action":"accept","content":{},"_meta":null})");
    EXPECT_EQ(*allowed(translated, "persist_session"),
              R"({"action":"accept","content":{},"_meta":{"persist":"session"}})");
    EXPECT_EQ(*denied(translated, "decline"), R"({"action":"decline","content":null,"_meta":null})");
    auto unnamed = ask_of(AskKind::elicitation, tool_params);
    const auto whole = translate(unnamed, context());
    EXPECT_EQ(tool_name_of(whole->request), "mcp__demo");
    EXPECT_THAT(approval_in(whole).display_text, HasSubstr(R"(run tool \"ask\")"));
    EXPECT_FALSE(whole->request.judgement.may_grant);
}

TEST(CodexTranslate, AServersYesOrNoQuestionIsAnApprovalByAPerson) {
    const auto ask = ask_of(AskKind::elicitation, form_params(""));
    const auto translated = translate(ask, context());
    ASSERT_TRUE(translated);
    EXPECT_EQ(approval_in(translated).display_text, "Who are you?");
    EXPECT_FALSE(translated->request.judgement.may_grant);
    EXPECT_EQ(*denied(translated, "decline"), R"({"action":"decline","content":null,"_meta":null})");
}

TEST(CodexTranslate, AnElicitationThatCannotBeAnsweredHereIsNotAsked) {
    auto url = form_params("");
    url.replace(url.find(R"("mode":"form")"), 13, R"("mode":"url")");
    auto other = tool_params;
    other.replace(other.find("mcp_tool_call"), 13, "other_approval");
    auto with_form = tool_params;
    with_form.replace(with_form.find(R"("properties":{})"), 15, R"("properties":{"a":{"type":"string"}})");
    for (const auto& params : {url, other, with_form}) {
        EXPECT_FALSE(can_be_asked(ask_of(AskKind::elicitation, params))) << params;
    }
    EXPECT_TRUE(can_be_asked(ask_of(AskKind::elicitation, tool_params)));
}

TEST(CodexTranslate, QuestionsAreAnsweredByTheirNames) {
    const auto translated = made(AskKind::question, question_params);
    ASSERT_TRUE(translated) << describe(translated.error());
    const auto& questions = translated->request.questionnaire()->questions;
    ASSERT_EQ(questions.size(), 2U);
    EXPECT_EQ(questions[0].text, "Color: Which color?");
    EXPECT_TRUE(questions[0].free_text);
    EXPECT_FALSE(questions[0].secret);
    EXPECT_TRUE(questions[1].free_text);
    EXPECT_TRUE(questions[1].secret);
    auto decided = verdict(*translated, Outcome::answered);
    decided.answers = {{.question_id = "q0", .choices = {"Blue"}, .text = {}},
                       {.question_id = "q1", .choices = {}, .text = "hush"}};
    EXPECT_EQ(*resolution(translated->raw, decided),
              R"({"answers":{"color":{"answers":["Blue"]},"key":{"answers":["hush"]}}})");
    decided.answers = {{.question_id = "q0", .choices = {"Green"}, .text = {}}};
    EXPECT_EQ(resolution(translated->raw, decided).error().code, Errc::unknown_option);
    decided.answers = {{.question_id = "q0", .choices = {"Red", "Blue"}, .text = {}}};
    EXPECT_EQ(resolution(translated->raw, decided).error().code, Errc::conflict);
    EXPECT_EQ(*resolution(translated->raw, verdict(*translated, Outcome::cancelled)), R"({"answers":{}})");
    EXPECT_EQ(resolution(translated->raw, verdict(*translated, Outcome::allowed, "accept")).error().code,
              Errc::conflict);
}

TEST(CodexTranslate, AFormKeepsTheTypesOfItsFields) {
    const auto params = form_params(R"("name":{"type":"string","title":"Name"},"age":{"type":"integer"},)"
                                    R"("ok":{"type":"boolean"},"color":{"type":"string","enum":["r","b"],)"
                                    R"("enumNames":["Red","Blue"]},"sizes":{"type":"array","items":{"anyOf":)"
                                    R"([{"const":"s","title":"Small"},{"const":"l","title":"Large"}]}})",
                                    R"("name")");
    const auto translated = translate(ask_of(AskKind::elicitation, params), context());
    ASSERT_TRUE(translated) << describe(translated.error());
    const auto& questions = translated->request.questionnaire()->questions;
    ASSERT_EQ(questions.size(), 5U);
    EXPECT_EQ(questions[0].text, "demo: Who are you?\nName");
    EXPECT_TRUE(questions[0].required);
    EXPECT_FALSE(questions[1].required);
    EXPECT_TRUE(questions[4].multiple);
    auto decided = verdict(*translated, Outcome::answered);
    decided.answers = {{.question_id = "q0", .choices = {}, .text = "bob"},
                       {.question_id = "q1", .choices = {}, .text = "42"},
                       {.question_id = "q2", .choices = {"No"}, .text = {}},
                       {.question_id = "q3", .choices = {"Blue"}, .text = {}},
                       {.question_id = "q4", .choices = {"Small", "Large"}, .text = {}}};
    EXPECT_EQ(*resolution(translated->raw, decided),
              R"({"action":"accept","content":{"age":42,"color":"b","name":"bob","ok":false,"sizes":["s","l"]},)"
              R"("_meta":null})");
    decided.answers[1].text = "many";
    EXPECT_EQ(resolution(translated->raw, decided).error().code, Errc::malformed);
    EXPECT_EQ(*resolution(translated->raw, verdict(*translated, Outcome::cancelled)),
              R"({"action":"cancel","content":null,"_meta":null})");
    EXPECT_EQ(*resolution(translated->raw, verdict(*translated, Outcome::expired)),
              R"({"action":"decline","content":null,"_meta":null})");
}

TEST(CodexTranslate, I13_TooManyQuestionsAreNotAsked) {
    const auto fields = [](std::size_t number) {
        std::string all;
        for (std::size_t i = 0; i < number; ++i)
            all += (i == 0 ? "\"f" : ",\"f") + std::to_string(i) + R"(":{"type":"string"})";
        return form_params(all);
    };
    EXPECT_TRUE(translate(ask_of(AskKind::elicitation, fields(limits::questions_max)), context()));
    EXPECT_EQ(translate(ask_of(AskKind::elicitation, fields(limits::questions_max + 1)), context()).error().code,
              Errc::too_large);
}

TEST(CodexTranslate, I13_AQuestionOnePastABoundIsNotAsked) {
    const auto asks = [](std::size_t choices, std::size_t label, std::size_t text) {
        std::string options;
        for (std::size_t i = 0; i < choices; ++i) {
            const auto name = std::to_string(i);
            options += (i == 0 ? "" : ",") + (R"({"description":"","label":")" + name) +
                       std::string(label - name.size(), 'x') + "\"}";
        }
        return "{" + ids + R"(,"questions":[{"id":"a","header":"","question":")" + std::string(text, 'x') +
               R"(","isOther":false,"isSecret":false,"options":[)" + options + "]}]}";
    };
    using namespace limits;
    EXPECT_TRUE(made(AskKind::question, asks(choices_max, choice_label_bytes_max, question_text_bytes_max)));
    for (const auto& params : {asks(choices_max + 1, 8, 8), asks(2, choice_label_bytes_max + 1, 8),
                               asks(2, 8, question_text_bytes_max + 1)}) {
        EXPECT_EQ(made(AskKind::question, params).error().code, Errc::too_large);
    }
}

TEST(CodexTranslate, I13_ADecisionOnePastTheBoundIsNotOffered) {
    const auto offered = [](std::size_t bytes) {
        const std::string begin = R"({"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["a"]}})";
        const auto padded = begin.substr(0, begin.size() - 1) + std::string(bytes - begin.size(), ' ') + "}";
        return options_in(made(AskKind::command, command_params("ls", R"(,"availableDecisions":[)" + padded + "]"),
                               native_context()));
    };
    EXPECT_THAT(offered(limits::native_decision_bytes_max), ElementsAre("d0:allow:always:wide", "decline:deny:once"));
    EXPECT_THAT(offered(limits::native_decision_bytes_max + 1), ElementsAre("decline:deny:once"));
    const auto words = [](std::size_t bytes) {
        return options_in(made(AskKind::command,
                               command_params("ls", R"(,"availableDecisions":[{"acceptWithExecpolicyAmendment":)"
                                                    R"({"execpolicy_amendment":[")" +
                                                        std::string(bytes, 'x') + "\"]}}]"),
                               native_context()))
            .size();
    };
    EXPECT_EQ(words(limits::option_detail_bytes_max / 2), 2U);
    EXPECT_EQ(words(limits::option_detail_bytes_max), 1U) << "a change that can't be shown whole isn't offered";
}

TEST(CodexTranslate, I13_ACallOnePastABoundIsNotAsked) {
    const auto old = [](std::size_t words) {
        std::string list = "\"a\"";
        for (std::size_t i = 1; i < words; ++i) list += ",\"a\"";
        return made(AskKind::old_command,
                    R"({"conversationId":"t1","callId":"c","command":[)" + list + R"(],"cwd":"/w"})");
    };
    EXPECT_TRUE(old(limits::argv_max));
    EXPECT_EQ(old(limits::argv_max + 1).error().code, Errc::too_large);
    auto ask = ask_of(AskKind::elicitation, tool_params);
    const auto prefix = std::string{"mcp__demo__"}.size();
    ask.mcp_tool = std::string(limits::tool_name_bytes_max - prefix, 'x');
    EXPECT_TRUE(translate(ask, context()));
    ask.mcp_tool += 'x';
    EXPECT_EQ(translate(ask, context()).error().code, Errc::too_large);
    auto where = context();
    where.session_key = std::string(limits::session_key_bytes_max + 1, 'x');
    EXPECT_EQ(made(AskKind::command, command_params(), where).error().code, Errc::too_large);
    const auto in = [](std::size_t bytes) {
        auto params = command_params();
        params.replace(params.find("\"/w\""), 4, "\"/" + std::string(bytes - 1, 'x') + "\"");
        return made(AskKind::command, params);
    };
    EXPECT_TRUE(in(limits::cwd_bytes_max));
    EXPECT_EQ(in(limits::cwd_bytes_max + 1).error().code, Errc::too_large);
}

TEST(CodexTranslate, I7_APatchTooLargeForAnyPageCanOnlyBeDenied) {
    auto ask = ask_of(AskKind::file_change, change_params);
    const auto of = [&](std::size_t bytes) {
        std::string text;
        while (text.size() < bytes) text += "line\\n";
        ask.changes = R"([{"path":"/w/a","kind":{"type":"add"},"diff":")" + text + "\"}]";
        return options_in(translate(ask, context()));
    };
    EXPECT_THAT(of(limits::display_text_bytes_max / 4), testing::Contains("accept:allow:once"));
    EXPECT_THAT(of(limits::display_text_bytes_max * 2), ElementsAre("decline:deny:once", "cancel:cancel:once"));
}

struct Kind {
    AskKind kind;
    const std::string* params;
};
const std::vector<Kind> approvals{{AskKind::command, nullptr},
                                  {AskKind::command, &human_params},
                                  {AskKind::file_change, &change_params},
                                  {AskKind::old_command, &old_command_params},
                                  {AskKind::old_patch, &old_patch_params},
                                  {AskKind::permissions, &permission_params},
                                  {AskKind::elicitation, &tool_params}};

TEST(CodexTranslate, I9_EveryAllowNeedsTheHashOfTheCallThatWasShown) {
    for (const auto& [kind, params] : approvals) {
        for (const auto always : {AlwaysMode::grant, AlwaysMode::native}) {
            const auto translated =
                made(kind, params == nullptr ? command_params() : *params, context(no_rules, always));
            ASSERT_TRUE(translated);
            for (const auto& option : approval_in(translated).options) {
                const bool allows = option.effect == Effect::allow;
                auto decided = verdict(*translated, allows ? Outcome::allowed : Outcome::denied, option.option_id);
                EXPECT_TRUE(resolution(translated->raw, decided)) << option.option_id;
                decided.outcome = allows ? Outcome::denied : Outcome::allowed;
                EXPECT_EQ(resolution(translated->raw, decided).error().code, Errc::conflict) << option.option_id;
                decided.outcome = Outcome::allowed;
                decided.args_hash = std::string(64, '0');
                EXPECT_EQ(resolution(translated->raw, decided).error().code, Errc::conflict) << option.option_id;
            }
            EXPECT_EQ(allowed(translated, "").error().code, Errc::unknown_option);
            auto edited = verdict(*translated, Outcome::allowed, approval_in(translated).options.front().option_id);
            edited.edited_input = "{}";
            EXPECT_EQ(resolution(translated->raw, edited).error().code, Errc::unsupported);
            auto changed = translated->raw;
            changed.raw_input.insert(changed.raw_input.size() - 1, ",\"more\":1");
            EXPECT_EQ(resolution(changed, verdict(*translated, Outcome::allowed,
                                                  approval_in(translated).options.front().option_id))
                          .error()
                          .code,
                      Errc::conflict);
        }
    }
}

TEST(CodexTranslate, I2_WithoutADecisionEveryKindIsRefused) {
    for (const auto& [kind, params] : approvals) {
        const auto translated = made(kind, params == nullptr ? command_params() : *params);
        for (const auto outcome :
             {Outcome::expired, Outcome::undeliverable, Outcome::unlogged, Outcome::lost, Outcome::cancelled}) {
            const auto result = resolution(translated->raw, verdict(*translated, outcome));
            ASSERT_TRUE(result);
            for (const auto* word : {"\"accept", "\"approved", "\"enabled", "\"allow"})
                EXPECT_THAT(*result, Not(HasSubstr(word))) << *result;
        }
    }
}

TEST(CodexMessage, WhatCannotBeReadIsRefusedInItsOwnWords) {
    for (const auto* params : {"[]", R"({"command":"ls","command":"rm x"})", R"({"command":"\ud800"})",
                               R"({"reason":333333333.333333333333})"}) {
        const auto message = read_message({.id = "0", .method = method_of(AskKind::command), .params = params});
        ASSERT_TRUE(std::holds_alternative<Unreadable>(message)) << params;
        EXPECT_EQ(refusal_result(std::get<Unreadable>(message).kind, "x"), R"({"decision":"decline"})");
    }
    const auto long_id = R"({"threadId":")" + std::string(limits::native_id_bytes_max + 1, 'x') + "\"}";
    EXPECT_TRUE(std::holds_alternative<Unreadable>(
        read_message({.id = "0", .method = method_of(AskKind::command), .params = long_id})));
    EXPECT_TRUE(
        std::holds_alternative<OtherRequest>(read_message({.id = "0", .method = "item/tool/call", .params = "{}"})));
    EXPECT_TRUE(std::holds_alternative<Ignored>(read_message({.id = "", .method = "thread/new", .params = "{}"})));
    EXPECT_TRUE(std::holds_alternative<Ignored>(read_message({.id = "", .method = "item/started", .params = ""})));
}

TEST(CodexMessage, AToolsArgumentsWithTwoReadingsAreAskedOnceOnly) {
    auto params = tool_params;
    params.replace(params.find(R"({"text":"hi"})"), 13, R"({"text":"hi","text":"ho"})");
    const auto translated = made(AskKind::elicitation, params);
    ASSERT_TRUE(translated);
    EXPECT_FALSE(translated->request.args_hash.canonical);
    EXPECT_FALSE(translated->request.judgement.may_grant);
    EXPECT_THAT(approval_in(translated).display_text, HasSubstr("ho"));
}

}  // namespace
}  // namespace countersign::runtimes::codex
