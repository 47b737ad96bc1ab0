// SPDX-License-Identifier: Apache-2.0
// What a hostile agent can and can't achieve with the content of its event.
#include "tests/runtimes/event_sample.hpp"

#include <gtest/gtest.h>

namespace countersign::runtimes::event {
namespace {

TEST(Trust, I15_TheAgentsDisplayFieldsAreNeverShown) {
    EXPECT_EQ(shown_text(read(tool_use_event)->request).find("harmless"), std::string::npos);
    EXPECT_EQ(shown_text(read(shell_event)->request).find("nothing to see"), std::string::npos);
}

TEST(Trust, I15_AnAgentCannotClaimToBeAnother) {
    const auto made = read(with(tool_use_event, "agentId", "prod"));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, Errc::conflict);
    EXPECT_EQ(made.error().detail, "agentId: is not the agent that is connected; leave it out");
    auto neutral = context();
    neutral.agent_id.clear();
    EXPECT_TRUE(translate(with(tool_use_event, "agentId", "prod"), neutral));
}

TEST(Trust, ACallWithoutADirectoryIsWhereTheAgentWasStarted) {
    auto started = context();
    started.cwd = "/w";
    const auto edit = with(with(tool_use_event, "subject.toolName", "Edit"), "subject.rawInput",
                           json::Object{{"file_path", "/w/a.py"}, {"old_string", "a"}, {"new_string", "b"}});
    EXPECT_EQ(translate(edit, started)->request.cwd, "/w");
    EXPECT_EQ(translate(edit, started)->request.judgement.risk.level, RiskLevel::medium);
    EXPECT_EQ(read(edit)->request.judgement.risk.level, RiskLevel::high) << "without a directory nothing is inside it";
    const auto named = with(tool_use_event, "subject.rawInput", json::Object{{"command", "ls"}, {"cwd", "/elsewhere"}});
    EXPECT_EQ(translate(named, started)->request.cwd, "/elsewhere");
}

TEST(Trust, I15_AHashThatDiffersFromOursIsAConflict) {
    const auto made = read(with(tool_use_event, "argsHash", std::string(64, '0')));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, Errc::conflict);
    EXPECT_EQ(made.error().detail, "argsHash: is not the hash of the arguments");
}

TEST(Trust, I15_AnEventCanOnlyRaiseTheRisk) {
    EXPECT_EQ(read(with(tool_use_event, "risk", "high"))->request.judgement.risk,
              (Risk{RiskLevel::high, "raised by the agent"}));
    const auto dangerous = with(tool_use_event, "subject.rawInput", json::Object{{"command", "rm -rf x"}});
    EXPECT_EQ(read(with(dangerous, "risk", "low"))->request.judgement.risk, (Risk{RiskLevel::high, "deletes files"}));
}

TEST(Trust, I15_ADifferentCommandTextIsShownAndCreatesNoGrant) {
    const auto made = read(with(shell_event, "subject.argv", json::Array{"rm", "-rf", "src"}));
    ASSERT_TRUE(made);
    EXPECT_EQ(approval_of(made).display_text, "rm -rf src\ncommandText says something else: ls -la src");
    EXPECT_EQ(made->request.judgement.risk, (Risk{RiskLevel::high, "command text differs"}));
    EXPECT_FALSE(made->request.judgement.may_grant);
    const auto said = [](json::Array argv, const char* text) {
        return read(with(with(shell_event, "subject.argv", std::move(argv)), "subject.commandText", text));
    };
    for (const auto* text : {"touch x", "bash -lc 'touch x'"}) {
        EXPECT_EQ(approval_of(said({"bash", "-lc", "touch x"}, text)).display_text, "bash -lc 'touch x'") << text;
    }
    // Joined by blanks without quotes these are other commands.
    EXPECT_FALSE(said({"rm", "-c", "ls"}, "ls")->request.judgement.may_grant) << "rm isn't a shell";
    EXPECT_FALSE(said({"bash", "-lc", "touch x"}, "bash -lc touch x")->request.judgement.may_grant);
    for (const auto& [word, text] : std::vector<std::pair<const char*, const char*>>{{"; rm -rf ~", "ls ; rm -rf ~"},
                                                                                     {"$(reboot)", "ls $(reboot)"},
                                                                                     {"`reboot`", "ls `reboot`"},
                                                                                     {"| sh", "ls | sh"},
                                                                                     {"x\nreboot", "ls x\nreboot"},
                                                                                     {">x", "ls >x"},
                                                                                     {"*", "ls *"},
                                                                                     {"~", "ls ~"},
                                                                                     {"a b", "ls a b"}}) {
        const auto differs = said({"ls", word}, text);
        EXPECT_EQ(differs->request.judgement.risk, (Risk{RiskLevel::high, "command text differs"})) << text;
        EXPECT_FALSE(differs->request.judgement.may_grant) << text;
    }
}

Option meaning(const char* native, json::Object extra) {
    auto line = with(tool_use_event, "options.0.nativeDecision", native);
    for (const auto& [name, value] : extra.members()) line = with(line, "options.0." + name, value);
    const auto made = read(line);
    EXPECT_TRUE(made);
    return approval_of(made).options[0];
}

TEST(Trust, I15_AnAllowCannotBeDisguisedAsADeny) {
    EXPECT_EQ(meaning("allow", {{"effect", "deny"}}).effect, Effect::allow);
    EXPECT_EQ(meaning("reject", {{"effect", "allow"}}).effect, Effect::allow);
    EXPECT_EQ(meaning("always", {{"scope", "once"}}).scope, Scope::always);
    EXPECT_EQ(meaning("once", {{"scope", "always"}}).scope, Scope::always);
    EXPECT_EQ(meaning("reject", {}).effect, Effect::deny);
}

TEST(Trust, I15_AnUnknownWordIsNeverARefusal) {
    const auto bare = meaning("proceed", {});
    EXPECT_FALSE(bare.known);
    EXPECT_EQ(bare.effect, Effect::allow);
    EXPECT_EQ(bare.scope, Scope::always);
    EXPECT_EQ(meaning("proceed", {{"effect", "deny"}}), bare);
    EXPECT_EQ(meaning("proceed", {{"scope", "once"}}), bare);
    EXPECT_EQ(meaning("proceed", {{"effect", "deny"}, {"scope", "once"}}), bare);
    EXPECT_EQ(meaning("proceed", {{"effect", "cancel"}, {"scope", "once"}}), bare);
    const auto told = meaning("proceed", {{"effect", "allow"}, {"scope", "once"}});
    EXPECT_TRUE(told.known);
    EXPECT_EQ(told.scope, Scope::once);
}

TEST(Trust, I15_AnAllowCannotBeLabelledAsARefusal) {
    const auto refusal = [](const char* label) {
        const auto made = read(with(tool_use_event, "options.0.label", label));
        return made ? std::string{"accepted"} : made.error().detail;
    };
    for (const auto* label : {"No", " deny it", "REJECT", "No, thanks", "Cancel", "decline", "Block", "Don't allow",
                              "do  not run", "Refuse."}) {
        EXPECT_EQ(
            refusal(label),
            "options[0].label: says no, but the nativeDecision is not known to refuse: use deny, reject or cancel")
            << label;
    }
    for (const auto* label : {"Now", "Note it", "Yes", "Allow, no limits"}) EXPECT_EQ(refusal(label), "accepted");
    EXPECT_EQ(refusal("   "), "options[0].label: must not be blank");
    EXPECT_EQ(refusal("D\u0435ny"), "options[0].label: mixes letters of several scripts in one word");
    EXPECT_EQ(read(with(tool_use_event, "options.1.label", "  ALLOW ")).error().detail,
              "options[1].label: is the same as an earlier one");
}

TEST(Trust, I14_AnAmendmentCoversMoreThanThisCall) {
    EXPECT_FALSE(meaning("acceptWithExecpolicyAmendment", {}).exact_call);
    EXPECT_TRUE(meaning("acceptForSession", {}).exact_call);
}

TEST(Trust, I15_OfTwoCommandsInOneCallNeitherIsTrusted) {
    auto line = tool_use_event;
    line.replace(line.find(R"("command":"ls -la")"), 18, R"("command":"ls","command":"rm -rf x")");
    const auto made = read(line);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->request.judgement.risk, (Risk{RiskLevel::high, "unparsed command"}));
}

TEST(Trust, I15_AShellCallWithAnUnknownMemberIsNotAllowedByARule) {
    Rules rules;
    rules.policy.push_back({.name = "ls",
                            .effect = PolicyEffect::allow,
                            .agent = {},
                            .tool = {},
                            .command = "ls *",
                            .path = {},
                            .host = {}});
    EXPECT_EQ(translate(shell_event, context(rules))->request.judgement.policy.effect, PolicyEffect::allow);
    const auto line = with(shell_event, "subject.env", json::Object{{"LD_PRELOAD", "/tmp/x.so"}});
    const auto made = translate(line, context(rules));
    EXPECT_EQ(made->request.judgement.policy.effect, PolicyEffect::ask);
    EXPECT_EQ(made->request.judgement.risk, (Risk{RiskLevel::high, "unknown arguments"}));
    EXPECT_EQ(*translate(print_event(*made), context(rules)), *made);
}

TEST(Trust, OwnSettingsAreDetectedInTheRawInput) {
    const auto line =
        with(with(tool_use_event, "subject.toolName", "Edit"), "subject.rawInput",
             json::Object{{"file_path", "x/../.claude/settings.json"}, {"old_string", "a"}, {"new_string", "b"}});
    const auto made = read(line);
    EXPECT_EQ(made->request.judgement.risk.rule, "own settings");
    EXPECT_FALSE(made->request.judgement.may_grant);
}

// All strings of a request.
std::string all_strings(const Request& request) {
    std::string all = request.agent_id + request.runtime + request.session_key + request.requester +
                      request.native_key + request.cwd + request.args_hash.hex + request.judgement.risk.rule +
                      request.judgement.policy.rule;
    for (const auto& sender : request.authorized_senders.value_or(std::vector<std::string>{})) all += sender;
    if (const auto* approval = request.approval()) {
        if (const auto* tool = std::get_if<ToolUse>(&approval->subject)) all += tool->tool_name + tool->tool_id;
        all += approval->display_text + approval->diff + approval->untrusted_reason;
        for (const auto& option : approval->options) all += option.option_id + option.label + option.detail;
        return all;
    }
    for (const auto& question : request.questionnaire()->questions) {
        all += question.question_id + question.text;
        for (const auto& choice : question.choices) all += choice.label + choice.description;
    }
    return all;
}

TEST(Trust, I6_ASecretInAnyFieldIsNotInTheRequestOrInAnError) {
    const std::vector<std::pair<const std::string*, std::vector<const char*>>> places{
        {&tool_use_event,
         {"type",
          "approvalId",
          "approvalSource",
          "subject.kind",
          "subject.toolName",
          "subject.toolId",
          "subject.rawInput.command",
          "subject.rawInput.description",
          "subject.rawInput.other",
          "subject.displayArgs.command",
          "options.0.optionId",
          "options.0.label",
          "options.0.nativeDecision",
          "options.0.role",
          "options.0.effect",
          "options.0.scope",
          "options.0.detail",
          "sessionKey",
          "agentId",
          "argsHash",
          "risk",
          "diff",
          "untrustedReason",
          "authorizedSenders.0",
          "future"}},
        {&shell_event, {"subject.argv.0", "subject.cwd", "subject.commandText", "subject.displayCommandText"}},
        {&question_event,
         {"questions.0.questionId", "questions.0.text", "questions.0.choices.0.label",
          "questions.0.choices.0.description"}}};
    for (const auto& [event, paths] : places) {
        for (const auto* path : paths) {
            auto line = with(*event, "authorizedSenders", json::Array{"telegram:77"});
            line = with(line, path, "x " + canary + " y");
            const auto made = read(line);
            const auto shown = made ? all_strings(made->request) + shown_text(made->request) : made.error().detail;
            EXPECT_EQ(shown.find(canary), std::string::npos) << path;
        }
    }
}

TEST(Trust, I6_ASecretInAnEditIsNotInTheDiff) {
    for (const auto* member : {"file_path", "old_string", "new_string", "content"}) {
        auto input = json::Object{{"file_path", "a"}};
        input.add(member == std::string_view{"file_path"} ? "old_string" : member, "one\n" + canary + "\nthree");
        if (member == std::string_view{"file_path"}) input.members()[0].second = canary;
        const auto made = read(with(with(tool_use_event, "subject.toolName", "Edit"), "subject.rawInput", input));
        ASSERT_TRUE(made);
        EXPECT_EQ(all_strings(made->request).find(canary), std::string::npos) << member;
    }
}

}  // namespace
}  // namespace countersign::runtimes::event
