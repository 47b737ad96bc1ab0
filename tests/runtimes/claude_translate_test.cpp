// SPDX-License-Identifier: Apache-2.0
#include "core/limits.hpp"
#include "security/args_hash.hpp"
#include "tests/runtimes/claude_sample.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace countersign::runtimes::claude {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string bash(const std::string& command) {
    return asks("Bash", R"({"command":)" + json::canonical(json::Value{command}) + "}");
}

TEST(ClaudeTranslate, ACommandIsAToolUseWithItsRawInputHashed) {
    const auto translated = made(bash_line);
    ASSERT_TRUE(translated);
    const auto& request = translated->request;
    EXPECT_EQ(request.runtime, "claude");
    EXPECT_EQ(tool_name_of(request), "Bash");
    EXPECT_EQ(approval_in(translated).display_text, "touch /w/x");
    EXPECT_EQ(approval_in(translated).untrusted_reason, "Create x");
    EXPECT_EQ(request.args_hash,
              security::args_hash("Bash", R"({"description":"Create x","command":"touch /w/x"})").value());
    EXPECT_EQ(request.native_key, security::native_key("claude", "s0", native));
    EXPECT_EQ(translated->raw.raw_input, R"({"command":"touch /w/x","description":"Create x"})");
}

TEST(ClaudeTranslate, EditsAreShownAsADiff) {
    const auto edit = made(asks("Edit", R"({"file_path":"/w/a","old_string":"one\n","new_string":"two\n"})"));
    EXPECT_EQ(approval_in(edit).display_text, "/w/a");
    EXPECT_EQ(approval_in(edit).diff, "-one\n+two\n");
    EXPECT_EQ(approval_in(made(asks("Write", R"({"file_path":"/w/a","content":"x\n"})"))).diff, "+x\n");
    EXPECT_EQ(approval_in(
                  made(asks("MultiEdit", R"({"file_path":"/w/a","edits":[{"old_string":"a\n","new_string":"b\n"}]})")))
                  .diff,
              "@@\n-a\n+b\n");
    EXPECT_EQ(approval_in(made(asks("NotebookEdit", R"({"notebook_path":"/w/n","new_source":"1\n"})"))).diff, "+1\n");
}

TEST(ClaudeTranslate, APathThatLeadsElsewhereShowsItsTarget) {
    auto given = context();
    given.files.view = [](const CallFacts& facts) {
        return FileView{.real_paths = {"/home/u/.ssh/authorized_keys"}, .cwd = facts.cwd, .home = "", .real_home = ""};
    };
    const auto line = asks("Write", R"({"file_path":"/w/docs/link/authorized_keys","content":"x\n"})");
    const auto translated = translate(call_in(line), given);
    ASSERT_TRUE(translated);
    EXPECT_EQ(approval_in(translated).display_text,
              "/w/docs/link/authorized_keys\nleads to /home/u/.ssh/authorized_keys");
    EXPECT_EQ(translated->request.judgement.risk, (Risk{RiskLevel::high, "secret path"}));
}

TEST(ClaudeTranslate, I8_AGrantOfAScriptIsBoundToItsContent) {
    auto given = context();
    given.files.digest = [](const std::string& path) {
        return path == "/w/./run.sh" ? FileDigest{.kind = FileDigest::Kind::read, .hex = "one"} : FileDigest{};
    };
    const auto before = translate(call_in(bash("./run.sh")), given);
    ASSERT_TRUE(before);
    EXPECT_TRUE(before->request.judgement.may_grant);
    EXPECT_THAT(before->request.grant_note, HasSubstr("while run.sh is unchanged"));
    given.files.digest = [](const std::string&) { return FileDigest{.kind = FileDigest::Kind::read, .hex = "two"}; };
    const auto after = translate(call_in(bash("./run.sh")), given);
    EXPECT_EQ(after->request.args_hash, before->request.args_hash);
    EXPECT_NE(after->request.script_hash, before->request.script_hash);
    EXPECT_FALSE(made(bash("./run.sh"))->request.judgement.may_grant) << "its files are not visible";
}

TEST(ClaudeTranslate, EveryOtherToolShowsAllItsArguments) {
    EXPECT_EQ(approval_in(made(asks("mcp__demo__ask", R"({"text":"hi"})"))).display_text, "{\n  \"text\": \"hi\"\n}");
    EXPECT_THAT(approval_in(made(asks("WebFetch", R"({"url":"https://a.example/","prompt":"p"})"))).display_text,
                HasSubstr("https://a.example/"));
}

TEST(ClaudeTranslate, APlanIsShownAsText) {
    const auto plan = made(asks("ExitPlanMode", R"({"plan":"# Plan\n1. a","planFilePath":"/p.md"})"));
    EXPECT_EQ(approval_in(plan).display_text, "# Plan\n1. a\nother arguments: {\n  \"planFilePath\": \"/p.md\"\n}");
    EXPECT_THAT(approval_in(made(asks("ExitPlanMode", "{}"))).display_text, HasSubstr("no plan"));
}

TEST(ClaudeTranslate, I15_TheCallCannotChooseItsIdentityOrItsDisplay) {
    const auto translated = made(asks("Bash", R"({"command":"ls","cwd":"/etc"})",
                                      R"(,"agent_id":"root","session_id":"s9","cwd":"/","risk":"low")"));
    EXPECT_EQ(translated->request.agent_id, "dev");
    EXPECT_EQ(translated->request.session_key, "s0");
    EXPECT_EQ(translated->request.cwd, "/w");
    EXPECT_EQ(translated->request.requester, "alice");
    EXPECT_THAT(shown_text(translated->request), Not(HasSubstr("something harmless")))
        << "the CLI's own description of the call is not what is shown";
    EXPECT_THAT(approval_in(translated).untrusted_reason, HasSubstr("asked by the inner agent root"));
}

TEST(ClaudeTranslate, I6_NoSecretOfTheCallIsInTheRequest) {
    const auto translated = made(asks(
        "Bash", R"({"command":"curl -H 'Authorization: Bearer )" + canary + R"(' x","description":")" + canary + "\"}",
        suggests(R"({"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"curl )" + canary +
                 R"("}],"behavior":"allow","destination":"localSettings"})") +
            R"(,"decision_reason":")" + canary + "\""));
    ASSERT_TRUE(translated);
    EXPECT_THAT(shown_text(translated->request), Not(HasSubstr(canary)));
    for (const auto& option : approval_in(translated).options) EXPECT_THAT(option.detail, Not(HasSubstr(canary)));
    EXPECT_THAT(translated->raw.raw_input, HasSubstr(canary));
}

TEST(ClaudeTranslate, ReasonsOfTheCliAreShownAsUnverifiedAndAreBounded) {
    const auto translated = made(asks("Bash", R"({"command":"ls"})", R"(,"decision_reason":"\u001b[31mred")"));
    EXPECT_THAT(approval_in(translated).untrusted_reason, HasSubstr("Claude Code: \\u{1B}[31mred"));
    const std::string much(limits::untrusted_reason_bytes_max * 2, 'x');
    const auto longer = made(asks("Bash", R"({"command":"ls"})", R"(,"decision_reason":")" + much + "\""));
    EXPECT_LE(approval_in(longer).untrusted_reason.size(), limits::untrusted_reason_bytes_max);
}

class Lossy : public testing::TestWithParam<std::string> {};
TEST_P(Lossy, AmbiguousArgumentsAreAskedWithoutAlwaysAndWithoutARulesAllow) {
    const Rules allow_all{.risk = {}, .policy = {{.name = "all", .effect = PolicyEffect::allow}}};
    const auto line = asks("Bash", GetParam(), suggests(rule_suggestion));
    const auto translated = made(line, context(allow_all));
    ASSERT_TRUE(translated);
    EXPECT_FALSE(translated->request.args_hash.canonical);
    EXPECT_FALSE(translated->request.judgement.may_grant);
    EXPECT_EQ(translated->request.judgement.policy.effect, PolicyEffect::ask);
    for (const auto mode : {AlwaysMode::grant, AlwaysMode::native}) {
        for (const auto& option : offered(approval_in(translated).options, {.always = mode, .may_grant = false})) {
            EXPECT_EQ(option.scope, Scope::once) << option.label;
        }
    }
    EXPECT_EQ(translated->raw.raw_input, GetParam());
}
INSTANTIATE_TEST_SUITE_P(Inputs, Lossy,
                         testing::Values(R"({"command":"a\ud800"})", R"({"command":"ls","n":1e400})",
                                         R"({"command":"ls","command":"rm"})",
                                         R"({"command":"ls","n":123456789012345678901234567890})"));

TEST(ClaudeOptions, AllowAndDenyAreAlwaysOfferedAndTheRestIsFromTheSuggestions) {
    const auto& options = approval_in(made(bash_line)).options;
    std::vector<std::string> ids;
    for (const auto& option : options) ids.push_back(option.option_id);
    EXPECT_THAT(ids, ElementsAre("allow", "deny", "session", "s0", "s1", "s2"));
    EXPECT_EQ(options[0].role, Role::primary);
    EXPECT_EQ(options[3].detail, "writes the rule Bash(touch /w/x) in .claude/settings.local.json: what it covers is "
                                 "not asked again");
    EXPECT_EQ(options[3].scope, Scope::always);
    EXPECT_TRUE(options[3].exact_call);
    EXPECT_EQ(options[4].detail, "adds to the directories that the agent may work in, for this session: /w");
    EXPECT_FALSE(options[4].exact_call);
    EXPECT_EQ(options[5].detail,
              "accepts all edits, and commands such as touch and mkdir in the working directory, for "
              "this session from now on, without asking");
    EXPECT_EQ(options[5].scope, Scope::session);
    EXPECT_FALSE(options[5].exact_call);
}

TEST(ClaudeOptions, I8_OnlyExactlyThisCallIsOfferedAsAGrant) {
    std::vector<std::string> labels;
    for (const auto& option : offered(approval_in(made(bash_line)).options, {})) labels.push_back(option.label);
    EXPECT_THAT(labels, ElementsAre("Allow once", "Deny", "This call, session", "This call, always"));
}

TEST(ClaudeOptions, I14_NativeOptionsAreShownUnchangedWithTheirDetail) {
    const auto translated = made(bash_line, context(no_rules, AlwaysMode::native));
    std::vector<std::string> labels;
    for (const auto& option : offered(approval_in(translated).options, {.always = AlwaysMode::native})) {
        labels.push_back(option.label);
        if (option.scope != Scope::once) EXPECT_NE(option.detail, "") << option.label;
    }
    EXPECT_THAT(labels, ElementsAre("Allow once", "Deny", "Always, project", "Open directory", "Accept all edits"));
}

// A command and the rule that was suggested for it.
struct RuleCase {
    std::string tool;
    std::string input;
    std::string rule;
};
class NotExact : public testing::TestWithParam<RuleCase> {};
TEST_P(NotExact, I14_ARuleThatCoversMoreIsNotThisCall) {
    const auto& [tool, input, rule] = GetParam();
    const auto& options = approval_in(made(asks(tool, input,
                                                suggests(R"({"type":"addRules","rules":)" + rule +
                                                         R"(,"behavior":"allow","destination":"session"})"))))
                              .options;
    const auto found = std::ranges::find(options, "s0", &Option::option_id);
    ASSERT_NE(found, options.end());
    EXPECT_FALSE(found->exact_call);
}
INSTANTIATE_TEST_SUITE_P(
    Rules, NotExact,
    testing::Values(
        RuleCase{"Bash", R"({"command":"git push"})", R"([{"toolName":"Bash","ruleContent":"git push:*"}])"},
        RuleCase{"Bash", R"({"command":"rm *"})", R"([{"toolName":"Bash","ruleContent":"rm *"}])"},
        RuleCase{"Bash", R"({"command":"ls"})", R"([{"toolName":"Bash"}])"},
        RuleCase{"Bash", R"({"command":"ls"})", R"([{"toolName":"Bash","ruleContent":"ls"},{"toolName":"Read"}])"},
        RuleCase{"Bash", R"({"command":"ls"})", R"([{"toolName":"Read","ruleContent":"ls"}])"},
        RuleCase{"WebFetch", R"({"url":"http://a/"})", R"([{"toolName":"WebFetch","ruleContent":"domain:a"}])"},
        RuleCase{"mcp__demo__ask", R"({"text":"hi"})", R"([{"toolName":"mcp__demo__ask"}])"}));

class NotOffered : public testing::TestWithParam<std::string> {};
TEST_P(NotOffered, ASuggestionThatCannotBeDescribedIsNotOffered) {
    const auto translated = made(asks("Bash", R"({"command":"ls"})", suggests(GetParam())));
    for (const auto& option : translated->raw.options) EXPECT_EQ(option.permission, "");
    EXPECT_EQ(approval_in(translated).options.size(), 3U);
}
INSTANTIATE_TEST_SUITE_P(
    Suggestions, NotOffered,
    testing::Values(
        R"({"type":"setMode","mode":"bypassPermissions","destination":"session"})",
        R"({"type":"setMode","mode":"dontAsk","destination":"session"})",
        R"({"type":"setMode","mode":"auto","destination":"session"})",
        R"({"type":"setMode","mode":"acceptEdits","destination":"mars"})",
        R"({"type":"setMode","mode":"acceptEdits","destination":"session","also":1})",
        R"({"type":"removeRules","rules":[{"toolName":"Bash"}],"behavior":"allow","destination":"session"})",
        R"({"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"deny","destination":"session"})",
        R"({"type":"addRules","rules":[],"behavior":"allow","destination":"session"})",
        R"({"type":"addRules","rules":[{"toolName":"Bash","also":1}],"behavior":"allow","destination":"session"})",
        R"({"type":"addRules","rules":[{"toolName":"a\ud800"}],"behavior":"allow","destination":"session"})",
        R"({"type":"addDirectories","directories":[7],"destination":"session"})", R"({"type":"new"})", "7",
        R"({"type":"addDirectories","directories":[")" + std::string(limits::option_detail_bytes_max, 'd') +
            R"("],"destination":"session"})",
        R"({"type":"addDirectories","directories":[)" + std::string(limits::native_decision_bytes_max, ' ') +
            R"("/w"],"destination":"session"})"));

TEST(ClaudeOptions, LabelsAreUniqueAndShortAndTheirNumberIsBounded) {
    std::string many = rule_suggestion;
    for (std::size_t i = 0; i < limits::options_max; ++i) many += "," + rule_suggestion;
    const auto& options = approval_in(made(asks("Bash", R"({"command":"touch /w/x"})", suggests(many)))).options;
    EXPECT_EQ(options.size(), limits::options_max);
    for (const auto& option : options) {
        EXPECT_LE(option.label.size(), limits::option_label_chars_max);
        EXPECT_EQ(std::ranges::count(options, option.label, &Option::label), 1);
    }
}

TEST(ClaudeOptions, TheCliCanRuleOutAlways) {
    for (const auto* flag : {R"(,"suppress_always_allow_rule":true)", R"(,"requires_user_interaction":true)",
                             R"(,"matched_ask_rule":{"source":"userSettings","tool_name":"Bash"})"}) {
        const auto translated = made(asks("Bash", R"({"command":"ls"})", suggests(rule_suggestion) + flag));
        EXPECT_EQ(approval_in(translated).options.size(), 2U) << flag;
    }
    const Rules allow_all{.risk = {}, .policy = {{.name = "all", .effect = PolicyEffect::allow}}};
    const auto by_rule = made(asks("Bash", R"({"command":"ls"})"), context(allow_all));
    EXPECT_EQ(by_rule->request.judgement.policy.effect, PolicyEffect::allow);
    const auto by_person =
        made(asks("Bash", R"({"command":"ls"})", R"(,"requires_user_interaction":true)"), context(allow_all));
    EXPECT_EQ(by_person->request.judgement.policy.effect, PolicyEffect::ask);
    EXPECT_FALSE(by_person->request.judgement.may_grant);
    EXPECT_EQ(approval_in(made(asks("Bash", "{}", R"(,"default_to_no":true)"))).options[0].role, Role::none);
}

TEST(ClaudeOptions, TheAskRuleThatWePassedDoesNotRequireAPerson) {
    const Rules allow_all{.risk = {}, .policy = {{.name = "all", .effect = PolicyEffect::allow}}};
    const auto effect = [&](const std::string& rule, bool ours) {
        auto there = context(allow_all);
        there.asks_everything = ours;
        const auto call = asks("Bash", R"({"command":"ls"})", R"(,"matched_ask_rule":)" + rule);
        return made(call, there)->request.judgement.policy.effect;
    };
    const std::string all = R"({"source":"flagSettings","tool_name":"*"})";
    EXPECT_EQ(effect(all, true), PolicyEffect::allow);
    EXPECT_EQ(effect(all, false), PolicyEffect::ask) << "the operator passed it";
    EXPECT_EQ(effect(R"({"source":"userSettings","tool_name":"*"})", true), PolicyEffect::ask);
    EXPECT_EQ(effect(R"({"source":"flagSettings","tool_name":"Bash"})", true), PolicyEffect::ask);
    EXPECT_EQ(effect(R"({"source":"flagSettings","tool_name":"*","rule_content":"x"})", true), PolicyEffect::ask);
    // The reason names the rule behind the broad one.
    const std::string reason = R"(,"decision_reason_type":"rule","decision_reason_rule_source":)";
    EXPECT_EQ(effect(all + reason + R"("flagSettings")", true), PolicyEffect::allow);
    EXPECT_EQ(effect(all + reason + R"("projectSettings")", true), PolicyEffect::ask);
    EXPECT_EQ(effect("null" + reason + R"("projectSettings")", false), PolicyEffect::ask);
    EXPECT_EQ(effect("null" + reason + R"("flagSettings")", false), PolicyEffect::ask);
    EXPECT_EQ(effect("null" + reason + R"("flagSettings")", true), PolicyEffect::allow);
}

TEST(ClaudeTranslate, OwnSettingsOfTheAgentAreNeverGranted) {
    const auto translated = made(asks("Write", R"({"file_path":".claude/settings.json","content":"{}"})"));
    EXPECT_FALSE(translated->request.judgement.may_grant);
    EXPECT_EQ(translated->request.judgement.risk.level, RiskLevel::high);
}

TEST(ClaudeTranslate, I15_TheDirectoryOfACallIsTheSessionsForAnyArguments) {
    auto there = context();
    there.cwd = "/w/.claude";
    const auto translated = made(asks("Bash", R"({"command":"cp a settings.json","cwd":"/tmp"})"), there);
    EXPECT_EQ(translated->request.judgement.risk.rule, "own settings");
}

TEST(ClaudeTranslate, I7_ACallTooLargeToShowCannotBeAllowed) {
    const auto translated = made(bash("echo " + std::string(limits::display_text_bytes_max, 'x')));
    ASSERT_TRUE(translated);
    ASSERT_EQ(approval_in(translated).options.size(), 1U);
    EXPECT_EQ(approval_in(translated).options[0].option_id, "deny");
    EXPECT_EQ(resolution(translated->raw, verdict(*translated, Outcome::allowed, "allow")).error().code,
              Errc::unknown_option);
}

TEST(ClaudeQuestions, QuestionsAndChoicesAreShownAndFreeTextIsAccepted) {
    const auto translated = made(asks("AskUserQuestion", question_input));
    ASSERT_TRUE(translated) << describe(translated.error());
    const auto& questions = translated->request.questionnaire()->questions;
    ASSERT_EQ(questions.size(), 2U);
    EXPECT_EQ(questions[0].text, "Color: Which color?");
    EXPECT_EQ(questions[0].choices[1].label, "Blue");
    EXPECT_EQ(questions[0].choices[1].description, "the blue one");
    EXPECT_FALSE(questions[0].multiple);
    EXPECT_TRUE(questions[1].multiple);
    EXPECT_TRUE(questions[1].free_text);
}

class BadQuestion : public testing::TestWithParam<std::string> {};
TEST_P(BadQuestion, IsRefusedByName) {
    const auto translated = made(asks("AskUserQuestion", GetParam()));
    ASSERT_FALSE(translated);
    EXPECT_THAT(translated.error().detail, HasSubstr("question"));
}
std::string questions_of(std::size_t number) {
    std::string all;
    for (std::size_t i = 0; i < number; ++i) {
        all += (i == 0 ? "" : ",") + (R"({"question":"q)" + std::to_string(i) + "\"}");
    }
    return R"({"questions":[)" + all + "]}";
}
std::string one_question(const std::string& text, const std::string& options) {
    return R"({"questions":[{"question":")" + text + R"(","options":[)" + options + "]}]}";
}
std::string labels_of(std::size_t number) {
    std::string all;
    for (std::size_t i = 0; i < number; ++i)
        all += (i == 0 ? "" : ",") + (R"({"label":"l)" + std::to_string(i) + "\"}");
    return all;
}
INSTANTIATE_TEST_SUITE_P(
    Inputs, BadQuestion,
    testing::Values("{}", R"({"questions":[]})", R"({"questions":[7]})", R"({"questions":[{"header":"x"}]})",
                    R"({"questions":[{"question":"a"},{"question":"a"}]})", R"({"questions":[{"question":"a\ud800"}]})",
                    questions_of(limits::questions_max + 1), one_question("a", labels_of(limits::choices_max + 1)),
                    one_question("a", R"({"label":"x"},{"label":"x"})"), one_question("a", "{}"),
                    one_question(std::string(limits::question_text_bytes_max + 1, 'x'), ""),
                    one_question("a", R"({"label":")" + std::string(limits::choice_label_bytes_max + 1, 'x') + "\"}")));
TEST(ClaudeQuestions, I13_QuestionsWithinTheBoundsAreAsked) {
    EXPECT_TRUE(made(asks("AskUserQuestion", questions_of(limits::questions_max))));
    EXPECT_TRUE(made(asks("AskUserQuestion", one_question("a", labels_of(limits::choices_max)))));
}

TEST(ClaudeTranslate, I15_ACallThatNamesItsOwnDirectoryIsNotAllowedByARule) {
    Rules rules;
    PolicyRule status{.name = "status",
                      .effect = PolicyEffect::allow,
                      .agent = {},
                      .tool = {},
                      .command = {},
                      .path = {},
                      .host = {}};
    status.command = "git status";
    rules.policy = {status};
    const auto plain = made(asks("Bash", R"({"command":"git status"})"), context(rules));
    EXPECT_EQ(plain->request.judgement.policy.effect, PolicyEffect::allow);
    const auto elsewhere = made(asks("Bash", R"({"command":"git status","cwd":"/tmp/evil"})"), context(rules));
    EXPECT_EQ(elsewhere->request.judgement.policy.effect, PolicyEffect::ask);
    EXPECT_EQ(elsewhere->request.judgement.risk.rule, "unknown arguments");
}

}  // namespace
}  // namespace countersign::runtimes::claude
