// SPDX-License-Identifier: Apache-2.0
#include "core/json/write.hpp"
#include "security/args_hash.hpp"
#include "tests/runtimes/event_sample.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace countersign::runtimes::event {
namespace {

TEST(Translate, AToolUseIsReadFieldByField) {
    const auto made = read(tool_use_event);
    ASSERT_TRUE(made) << describe(made.error());
    const auto& request = made->request;
    EXPECT_EQ(request.id.str(), "01ARZ3NDEKTSV4RRFFQ69G5FAV");
    EXPECT_EQ(request.agent_id, "dev");
    EXPECT_EQ(request.runtime, "event");
    EXPECT_EQ(request.session_key, "s0");
    EXPECT_EQ(request.requester, "alice");
    EXPECT_EQ(request.native_key, security::native_key("event", "s0", "01ARZ3NDEKTSV4RRFFQ69G5FAV"));
    EXPECT_EQ(request.timeout, std::chrono::milliseconds{60'000});
    EXPECT_EQ(request.args_hash, *security::args_hash("Bash", R"({"command":"ls -la"})"));
    EXPECT_EQ(request.judgement.risk, (Risk{RiskLevel::low, "read-only command"}));
    EXPECT_TRUE(request.judgement.may_grant);
    EXPECT_FALSE(request.authorized_senders);
    const auto& approval = approval_of(made);
    EXPECT_EQ(approval.subject, Subject(ToolUse{"Bash", "toolu_1"}));
    EXPECT_EQ(approval.display_text, "ls -la");
    ASSERT_EQ(approval.options.size(), 3U);
    EXPECT_EQ(approval.options[0], (Option{.option_id = "allow",
                                           .label = "Allow",
                                           .detail = "",
                                           .role = Role::primary,
                                           .effect = Effect::allow,
                                           .scope = Scope::once}));
    EXPECT_EQ(approval.options[1].scope, Scope::always);
    EXPECT_EQ(approval.options[2].effect, Effect::deny);
    EXPECT_EQ(made->raw.options[1], (RawOption{"always", "allow_always", Effect::allow}));
    EXPECT_EQ(made->raw.raw_input, R"({"command":"ls -la"})");
}

TEST(Translate, AShellCommandIsReadFieldByField) {
    const auto made = read(shell_event);
    ASSERT_TRUE(made) << describe(made.error());
    EXPECT_EQ(approval_of(made).subject, Subject(ShellExec{}));
    EXPECT_EQ(approval_of(made).display_text, "ls -la src");
    EXPECT_EQ(made->request.cwd, "/w");
    EXPECT_EQ(made->request.args_hash, *security::args_hash_shell({"ls -la src"}, "/w"));
    EXPECT_EQ(made->request.judgement.risk.rule, "reads outside the working directory") << "it chose /w itself";
    EXPECT_EQ(tool_name_of(made->request), "shell");
    const auto no_cwd = read(without(shell_event, "subject.cwd"));
    EXPECT_EQ(no_cwd->request.judgement.risk.rule, "read-only command");
    EXPECT_EQ(no_cwd->request.args_hash, *security::args_hash_shell({"ls -la src"}, std::nullopt));
}

TEST(Translate, AQuestionIsReadFieldByField) {
    const auto made = read(question_event);
    ASSERT_TRUE(made) << describe(made.error());
    const auto& questions = made->request.questionnaire()->questions;
    ASSERT_EQ(questions.size(), 2U);
    EXPECT_EQ(questions[0], (Question{.question_id = "color",
                                      .text = "Which color?",
                                      .choices = {{"Red", "the warm one"}, {"Blue", ""}},
                                      .multiple = false,
                                      .free_text = false,
                                      .secret = false,
                                      .required = true}));
    EXPECT_TRUE(questions[1].free_text);
    EXPECT_FALSE(questions[1].required);
    EXPECT_EQ(made->request.session_key, "s1");
    EXPECT_FALSE(made->request.judgement.may_grant);
    EXPECT_TRUE(made->request.args_hash.canonical);
    EXPECT_EQ(tool_name_of(made->request), "question");
}

TEST(Translate, OptionalMembersAreRead) {
    auto line = with(tool_use_event, "sessionKey", "s9");
    line = with(line, "agentId", "dev");
    line = with(line, "argsHash", security::args_hash("Bash", R"({"command":"ls -la"})")->hex);
    line = with(line, "untrustedReason", "it is safe");
    line = with(line, "diff", "+x");
    line = with(line, "authorizedSenders", json::Array{"telegram:77"});
    line = with(line, "options.1.detail", "for ever");
    const auto made = read(line);
    ASSERT_TRUE(made) << describe(made.error());
    EXPECT_EQ(made->request.session_key, "s9");
    EXPECT_EQ(approval_of(made).untrusted_reason, "it is safe");
    EXPECT_EQ(approval_of(made).diff, "as the agent tells it:\n+x");
    EXPECT_EQ(made->request.authorized_senders, (std::vector<std::string>{"telegram:77"}));
    EXPECT_EQ(approval_of(made).options[1].detail, "for ever");
}

TEST(Translate, UnknownMembersAreIgnored) {
    EXPECT_EQ(read(with(with(tool_use_event, "futureMember", 1), "options.0.icon", "x")).value(),
              read(tool_use_event).value());
}

struct Fault {
    const char* path;
    json::Value value;
    const char* text;
};
class RefusedByName : public testing::TestWithParam<Fault> {};
TEST_P(RefusedByName, AnInvalidMemberIsRefusedByItsFullName) {
    const auto& fault = GetParam();
    EXPECT_EQ(refusal(with(tool_use_event, fault.path, fault.value)), fault.text);
}
INSTANTIATE_TEST_SUITE_P(
    Types, RefusedByName,
    testing::Values(
        Fault{"type", 1, "type: must be a string"},
        Fault{"type", "other", "type: \"other\" is not supported, only \"approval_request\" and \"question_request\""},
        Fault{"approvalId", 1, "approvalId: must be a string"},
        Fault{"approvalSource", "gateway_tool",
              "approvalSource: \"gateway_tool\" is not supported, only \"runtime_tool\""},
        Fault{"approvalSource", "mcp_elicitation",
              "approvalSource: \"mcp_elicitation\" is not supported, only \"runtime_tool\""},
        Fault{"subject", json::Array{}, "subject: must be an object"},
        Fault{"subject.kind", "other", "subject.kind: must be tool_use or shell_exec"},
        Fault{"subject.toolName", 1, "subject.toolName: must be a string"},
        Fault{"subject.toolName", "", "subject.toolName: must not be empty"},
        Fault{"subject.toolId", nullptr, "subject.toolId: must be a string"},
        Fault{"subject.rawInput", "x", "subject.rawInput: must be an object"},
        Fault{"subject.rawInput", json::Array{}, "subject.rawInput: must be an object"},
        Fault{"subject.displayArgs", "x", "subject.displayArgs: must be an object"},
        Fault{"options", "x", "options: must be an array"}, Fault{"options", json::Array{}, "options: at least 1"},
        Fault{"options.1", 1, "options[1]: must be an object"},
        Fault{"options.1.optionId", 1, "options[1].optionId: must be a string"},
        Fault{"options.1.optionId", "", "options[1].optionId: must not be empty"},
        Fault{"options.1.optionId", "allow", "options[1].optionId: is the same as an earlier one"},
        Fault{"options.2.label", "Allow", "options[2].label: is the same as an earlier one"},
        Fault{"options.0.label", "", "options[0].label: must not be empty"},
        Fault{"options.0.nativeDecision", nullptr, "options[0].nativeDecision: must be a string"},
        Fault{"options.0.role", "boss", "options[0].role: must be one of primary, secondary, destructive, cancel"},
        Fault{"options.0.effect", "maybe", "options[0].effect: must be one of allow, deny, cancel"},
        Fault{"options.0.scope", "ever", "options[0].scope: must be one of once, session, always"},
        Fault{"timeoutMs", "60", "timeoutMs: must be a positive integer"},
        Fault{"timeoutMs", 0, "timeoutMs: must be a positive integer"},
        Fault{"timeoutMs", -5, "timeoutMs: must be a positive integer"},
        Fault{"timeoutMs", json::Number{"1.5"}, "timeoutMs: must be a positive integer"},
        Fault{"risk", "none", "risk: must be one of low, medium, high"}, Fault{"diff", 1, "diff: must be a string"},
        Fault{"authorizedSenders", "x", "authorizedSenders: must be an array"},
        Fault{"authorizedSenders", json::Array{1}, "authorizedSenders[0]: must be a string"},
        Fault{"sessionKey", 1, "sessionKey: must be a string"}));
INSTANTIATE_TEST_SUITE_P(
    Ulids, RefusedByName,
    testing::Values(
        Fault{"approvalId", "01ARZ3NDEKTSV4RRFFQ69G5FA", "approvalId: a ULID has 26 characters"},
        Fault{"approvalId", "01ARZ3NDEKTSV4RRFFQ69G5FAVX", "approvalId: a ULID has 26 characters"},
        Fault{"approvalId", "01arz3ndektsv4rrffq69g5fav",
              "approvalId: is no ULID: Crockford base 32 in upper case, at most 7ZZZZZZZZZZZZZZZZZZZZZZZZZ"}));

TEST(Translate, EveryMissingRequiredMemberIsNamed) {
    for (const std::string path : {"type", "approvalId", "approvalSource", "subject", "options"}) {
        EXPECT_EQ(refusal(without(tool_use_event, path)), path + ": is missing");
    }
    for (const std::string path : {"kind", "toolName", "toolId", "rawInput", "displayArgs"}) {
        EXPECT_EQ(refusal(without(tool_use_event, "subject." + path)), "subject." + path + ": is missing");
    }
    for (const std::string path : {"argv", "commandText", "displayCommandText"}) {
        EXPECT_EQ(refusal(without(shell_event, "subject." + path)), "subject." + path + ": is missing");
    }
    for (const std::string path : {"optionId", "label", "nativeDecision"}) {
        EXPECT_EQ(refusal(without(tool_use_event, "options.1." + path)), "options[1]." + path + ": is missing");
    }
}

TEST(Translate, TextThatIsNotAnEventIsRefused) {
    EXPECT_EQ(refusal("[]"), "event: must be an object");
    EXPECT_EQ(read("{").error().code, Errc::malformed);
    EXPECT_EQ(read("").error().code, Errc::malformed);
    EXPECT_EQ(read(std::string(limits::json_bytes_max + 1, ' ')).error().code, Errc::too_large);
}

TEST(Translate, ARepeatedMemberIsRefusedByNameOutsideTheRawInput) {
    const auto twice = [](std::string_view before, std::string_view added) {
        auto line = tool_use_event;
        const auto position = line.find(before);
        EXPECT_NE(position, line.npos);
        return refusal(line.insert(position, added));
    };
    EXPECT_EQ(twice("\"type\"", "\"type\":\"x\","), "type: is given twice");
    EXPECT_EQ(twice("\"optionId\":\"always\"", "\"label\":\"x\","), "options[1].label: is given twice");
    EXPECT_EQ(twice("\"toolName\"", "\"kind\":\"x\","), "subject.kind: is given twice");
    EXPECT_EQ(twice("\"command\":\"something", "\"command\":\"x\","), "subject.displayArgs.command: is given twice");
}

struct Bound {
    const char* path;
    const char* name;
    std::size_t max;
};
class Bounds : public testing::TestWithParam<Bound> {};
TEST_P(Bounds, I13_ABoundIsExactAndOnePastItIsRefusedByName) {
    const auto& [path, name, max] = GetParam();
    const auto event = std::string_view{path}.starts_with("questions")     ? question_event
                       : std::string_view{path}.starts_with("subject.cwd") ? shell_event
                                                                           : tool_use_event;
    std::string filler;  // words that don't look like a secret
    while (filler.size() < max) filler += "ab ";
    EXPECT_EQ(refusal(with(event, path, filler.substr(0, max - 1) + "a")), "accepted");
    EXPECT_EQ(refusal(with(event, path, filler.substr(0, max - 1) + "aa")),
              std::string{name} + ": " + std::to_string(max + 1) + " bytes, at most " + std::to_string(max));
}
INSTANTIATE_TEST_SUITE_P(
    Texts, Bounds,
    testing::Values(Bound{"options.0.optionId", "options[0].optionId", limits::option_id_bytes_max},
                    Bound{"options.0.nativeDecision", "options[0].nativeDecision", limits::native_decision_bytes_max},
                    Bound{"options.0.detail", "options[0].detail", limits::option_detail_bytes_max},
                    Bound{"subject.toolName", "subject.toolName", limits::tool_name_bytes_max},
                    Bound{"subject.toolId", "subject.toolId", limits::tool_id_bytes_max},
                    Bound{"subject.cwd", "subject.cwd", limits::cwd_bytes_max},
                    Bound{"sessionKey", "sessionKey", limits::session_key_bytes_max},
                    Bound{"untrustedReason", "untrustedReason", limits::untrusted_reason_bytes_max},
                    Bound{"diff", "diff", limits::display_text_bytes_max / 2 * 2},
                    Bound{"questions.0.questionId", "questions[0].questionId", limits::question_id_bytes_max},
                    Bound{"questions.0.text", "questions[0].text", limits::question_text_bytes_max},
                    Bound{"questions.0.choices.0.label", "questions[0].choices[0].label",
                          limits::choice_label_bytes_max},
                    Bound{"questions.0.choices.0.description", "questions[0].choices[0].description",
                          limits::question_text_bytes_max}));

TEST(Translate, I13_AnAgentIdAndASenderAreBounded) {
    EXPECT_EQ(refusal(with(tool_use_event, "agentId", std::string(limits::agent_id_bytes_max + 1, 'a'))),
              "agentId: 65 bytes, at most 64");
    EXPECT_EQ(refusal(with(tool_use_event, "authorizedSenders",
                           json::Array{std::string(limits::principal_bytes_max + 1, 'a')})),
              "authorizedSenders[0]: 129 bytes, at most 128");
}

TEST(Translate, I13_ALabelIsCountedInCharacters) {
    const auto label = [](std::size_t characters) {
        std::string text;
        for (std::size_t i = 0; i < characters; ++i) text += "é";
        return text;
    };
    EXPECT_EQ(refusal(with(tool_use_event, "options.1.label", label(limits::option_label_chars_max))), "accepted");
    EXPECT_EQ(refusal(with(tool_use_event, "options.1.label", label(23))),
              "options[1].label: 23 characters, at most 20");
    EXPECT_EQ(refusal(with(tool_use_event, "options.1.label", label(21))),
              "options[1].label: 21 characters, at most 20");
}

TEST(Translate, ALabelThatCannotBeShownWithinItsBoundIsRefused) {
    EXPECT_EQ(refusal(with(tool_use_event, "options.1.label", "Allow\u202E\u202E\u202E")),
              "options[1].label: holds characters that cannot be shown");
    EXPECT_EQ(refusal(with(tool_use_event, "options.1.optionId", "a\u200Bb")),
              "options[1].optionId: holds characters that cannot be shown");
}

template <class Make>
std::string with_many(const std::string& event, std::string_view path, std::size_t number, Make make) {
    json::Array array;
    for (std::size_t i = 0; i < number; ++i) array.push_back(make(std::to_string(i)));
    return with(event, path, std::move(array));
}

TEST(Translate, I13_ListsAreBounded) {
    const auto option = [](const std::string& n) {
        return json::Value{json::Object{{"optionId", n}, {"label", n}, {"nativeDecision", "allow"}}};
    };
    EXPECT_EQ(refusal(with_many(tool_use_event, "options", limits::options_max, option)), "accepted");
    EXPECT_EQ(refusal(with_many(tool_use_event, "options", limits::options_max + 1, option)),
              "options: 17 elements, at most 16");

    const auto word = [](const std::string& n) { return json::Value{"w" + n}; };
    const auto shell = with(shell_event, "subject.commandText", "");
    EXPECT_EQ(refusal(with_many(shell, "subject.argv", limits::argv_max, word)), "accepted");
    EXPECT_EQ(refusal(with_many(shell, "subject.argv", limits::argv_max + 1, word)),
              "subject.argv: 4097 elements, at most 4096");
    EXPECT_EQ(refusal(with_many(shell, "subject.argv", 0, word)), "subject.argv: at least 1");
    EXPECT_EQ(refusal(with_many(tool_use_event, "authorizedSenders", limits::authorized_senders_max, word)),
              "accepted");
    EXPECT_EQ(refusal(with_many(tool_use_event, "authorizedSenders", limits::authorized_senders_max + 1, word)),
              "authorizedSenders: 257 elements, at most 256");

    const auto question = [](const std::string& n) {
        return json::Value{json::Object{{"questionId", n}, {"text", n}, {"freeText", true}}};
    };
    EXPECT_EQ(refusal(with_many(question_event, "questions", limits::questions_max, question)), "accepted");
    EXPECT_EQ(refusal(with_many(question_event, "questions", limits::questions_max + 1, question)),
              "questions: 9 elements, at most 8");
    EXPECT_EQ(refusal(with_many(question_event, "questions", 0, question)), "questions: at least 1");
    const auto choice = [](const std::string& n) { return json::Value{json::Object{{"label", n}}}; };
    EXPECT_EQ(refusal(with_many(question_event, "questions.0.choices", limits::choices_max, choice)), "accepted");
    EXPECT_EQ(refusal(with_many(question_event, "questions.0.choices", limits::choices_max + 1, choice)),
              "questions[0].choices: 17 elements, at most 16");
}

TEST(Translate, I13_ATimeoutIsBounded) {
    EXPECT_EQ(refusal(with(tool_use_event, "timeoutMs", limits::request_timeout_max.count())), "accepted");
    EXPECT_EQ(refusal(with(tool_use_event, "timeoutMs", limits::request_timeout_max.count() + 1)),
              "timeoutMs: 604800001, at most 604800000");
    EXPECT_EQ(refusal(with(tool_use_event, "timeoutMs", json::Number{"1e20"})),
              "timeoutMs: 100000000000000000000, at most 604800000");
}

TEST(Translate, QuestionsAreCheckedLikeOptions) {
    EXPECT_EQ(refusal(with(question_event, "questions.1.questionId", "color")),
              "questions[1].questionId: is the same as an earlier one");
    EXPECT_EQ(refusal(with(question_event, "questions.0.choices.1.label", "Red")),
              "questions[0].choices[1].label: is the same as an earlier one");
    EXPECT_EQ(refusal(with(question_event, "questions.0.choices", json::Array{})),
              "questions[0].choices: at least one, or freeText");
    EXPECT_EQ(refusal(with(question_event, "questions.0.multiple", "yes")),
              "questions[0].multiple: must be true or false");
    EXPECT_EQ(refusal(without(question_event, "questions.0.text")), "questions[0].text: is missing");
}

TEST(Translate, TextThatIsReturnedByteForByteMustBeUnicode) {
    auto line = tool_use_event;
    line.replace(line.find("allow_always"), 12, "a\\ud800");
    EXPECT_EQ(refusal(line), "options[1].nativeDecision: is not valid Unicode");
}

TEST(Translate, TheFilesOfACallAreInspectedIfTheyAreVisible) {
    Rules rules;
    auto given = context(rules);
    given.files = {
        .view =
            [](const CallFacts& facts) {
                return FileView{.real_paths = {"/srv/x"}, .cwd = facts.cwd, .home = "", .real_home = ""};
            },
        .digest = [](const std::string&) { return FileDigest{.kind = FileDigest::Kind::read, .hex = "one"}; }};
    const auto line = with(with(shell_event, "subject.argv.0", "bash run.sh"), "subject.commandText", "bash run.sh");
    const auto made = translate(line, given);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->request.script_hash.size(), 64U);
    EXPECT_EQ(made->request.grant_note,
              "covers this exact call in this directory while run.sh is unchanged; not what it reads or starts");
    EXPECT_EQ(translate(line, context(rules))->request.script_hash, "");
    EXPECT_FALSE(translate(line, context(rules))->request.judgement.may_grant);
}

TEST(Translate, AmbiguousArgumentsAreAskedAndCreateNoGrant) {
    Rules rules;
    rules.policy.push_back({.name = "all",
                            .effect = PolicyEffect::allow,
                            .agent = "",
                            .tool = "Look",
                            .command = "",
                            .path = "",
                            .host = ""});
    auto line = tool_use_event;
    line.replace(line.find("Bash"), 4, "Look");
    EXPECT_EQ(translate(line, context(rules))->request.judgement.policy.effect, PolicyEffect::allow);
    line.replace(line.find("{\"command\":\"ls -la\"}"), 20, R"({"n":9007199254740993})");
    const auto made = translate(line, context(rules));
    ASSERT_TRUE(made);
    EXPECT_FALSE(made->request.args_hash.canonical);
    EXPECT_FALSE(made->request.judgement.may_grant);
    EXPECT_EQ(made->request.judgement.policy, (PolicyVerdict{PolicyEffect::ask, "arguments with two readings"}));
    EXPECT_EQ(made->raw.raw_input, R"({"n":9007199254740993})");
}

// An edit whose path and diff have this many bytes together.
std::string edit_of(std::size_t shown_bytes) {
    std::string content;  // "ab\n" is shown as "+ab\n"
    while (content.size() / 3 * 4 < shown_bytes / 2) content += "ab\n";
    std::string path;
    while (path.size() < shown_bytes - content.size() / 3 * 4) path += path.size() % 3 == 2 ? ' ' : 'a';
    return with(with(tool_use_event, "subject.toolName", "Write"), "subject.rawInput",
                json::Object{{"content", content}, {"file_path", path}});
}

TEST(Translate, I7_I13_ACallTooLargeToShowCannotBeAllowed) {
    const auto fits = read(edit_of(limits::display_text_bytes_max));
    ASSERT_TRUE(fits) << describe(fits.error());
    EXPECT_EQ(approval_of(fits).display_text.size() + approval_of(fits).diff.size(), limits::display_text_bytes_max);
    EXPECT_EQ(approval_of(fits).options.size(), 3U);

    const auto past = read(edit_of(limits::display_text_bytes_max + 1));
    ASSERT_TRUE(past) << describe(past.error());
    EXPECT_EQ(approval_of(past).display_text,
              "262145 bytes, too large to show and to allow; argsHash " + past->request.args_hash.hex);
    EXPECT_EQ(approval_of(past).diff, "");
    ASSERT_EQ(approval_of(past).options.size(), 1U);
    EXPECT_EQ(approval_of(past).options[0].option_id, "deny");
}

TEST(Translate, I7_ACallWithWithheldTextCannotBeAllowed) {
    json::Object input;
    input.add("content", std::string(limits::redact_bytes_max + 1, '~'));
    input.add("file_path", "a");
    const auto made =
        read(with(with(tool_use_event, "subject.toolName", "Write"), "subject.rawInput", std::move(input)));
    ASSERT_TRUE(made) << describe(made.error());
    ASSERT_EQ(approval_of(made).options.size(), 1U);
    EXPECT_EQ(approval_of(made).options[0].option_id, "deny");
}

}  // namespace
}  // namespace countersign::runtimes::event
