// SPDX-License-Identifier: Apache-2.0
#include "tests/runtimes/event_sample.hpp"

#include <gtest/gtest.h>

namespace countersign::runtimes::event {
namespace {

Verdict verdict(const Translated& made, Outcome outcome, std::string option_id) {
    return {.request_id = made.request.id,
            .outcome = outcome,
            .option_id = std::move(option_id),
            .answers = {},
            .reason = {},
            .args_hash = made.request.args_hash.hex};
}
Translated made_of(const std::string& line) {
    auto made = read(line);
    EXPECT_TRUE(made);
    return *made;
}

class RoundTrip : public testing::TestWithParam<std::string> {};
TEST_P(RoundTrip, AnEventPrintedAndReadAgainIsTheSame) {
    const auto first = read(GetParam());
    ASSERT_TRUE(first) << describe(first.error());
    const auto second = read(print_event(*first));
    ASSERT_TRUE(second) << describe(second.error());
    EXPECT_EQ(*first, *second);
}
INSTANTIATE_TEST_SUITE_P(
    Events, RoundTrip,
    testing::Values(
        tool_use_event, shell_event, question_event, with(tool_use_event, "subject.rawInput.n", json::Number{"1.50"}),
        with(shell_event, "subject.commandText", "other"), with(tool_use_event, "options.0.effect", "allow"),
        R"({ "type":"approval_request","approvalId":"01ARZ3NDEKTSV4RRFFQ69G5FAV","approvalSource":"runtime_tool",)"
        R"("subject":{"kind":"tool_use","toolName":"Bash","toolId":"","rawInput":{ "a":1,"a":2},"displayArgs":{}},)"
        R"("options":[{"optionId":"x","label":"X","nativeDecision":"proceed"}]})",
        R"({"type":"approval_request","approvalId":"01ARZ3NDEKTSV4RRFFQ69G5FAV","approvalSource":"runtime_tool",)"
        R"("subject":{"kind":"shell_exec","argv":["a\ud800"],"commandText":"a","displayCommandText":""},)"
        R"("options":[{"optionId":"x","label":"X","nativeDecision":"proceed"}]})"));

TEST(RoundTrip, TheFieldsOfTheEventAreKeptUnchanged) {
    auto event = json::read(tool_use_event)->value;
    EXPECT_EQ(print_event(made_of(tool_use_event)).size(), json::canonical(event).size());
    EXPECT_EQ(json::canonical(json::read(print_event(made_of(tool_use_event)))->value), json::canonical(event));
    EXPECT_EQ(json::canonical(json::read(print_event(made_of(shell_event)))->value),
              json::canonical(json::read(shell_event)->value));
    EXPECT_EQ(json::canonical(json::read(print_event(made_of(question_event)))->value),
              json::canonical(json::read(question_event)->value));
}

TEST(Resolution, AnAllowContainsTheNativeDecisionOfItsOption) {
    const auto made = made_of(tool_use_event);
    EXPECT_EQ(resolution(made.raw, verdict(made, Outcome::allowed, "always")).value(),
              R"({"resolvedApprovals":[{"approvalId":"01ARZ3NDEKTSV4RRFFQ69G5FAV","nativeDecision":"allow_always",)"
              R"("optionId":"always","outcome":"allowed"}]})");
}

TEST(Resolution, AReasonIsPassedOn) {
    const auto made = made_of(shell_event);
    auto no = verdict(made, Outcome::denied, "decline");
    no.reason = "not \"now\"\n";
    EXPECT_EQ(resolution(made.raw, no).value(),
              R"({"resolvedApprovals":[{"approvalId":"01ARZ3NDEKTSV4RRFFQ69G5FAV","nativeDecision":"decline",)"
              R"("optionId":"decline","outcome":"denied","reason":"not \"now\"\n"}]})");
}

TEST(Resolution, WithoutAnOptionOnlyTheOutcomeIsSent) {
    const auto made = made_of(tool_use_event);
    EXPECT_EQ(resolution(made.raw, verdict(made, Outcome::expired, "")).value(),
              R"({"resolvedApprovals":[{"approvalId":"01ARZ3NDEKTSV4RRFFQ69G5FAV","outcome":"expired"}]})");
}

TEST(Resolution, I9_ADecisionAboutAnotherCallIsNotSent) {
    auto made = made_of(tool_use_event);
    const auto good = verdict(made, Outcome::allowed, "allow");
    auto other_hash = good;
    other_hash.args_hash = std::string(64, '0');
    EXPECT_EQ(resolution(made.raw, other_hash).error().code, Errc::conflict);
    auto other_id = good;
    other_id.request_id = Ulid{};
    EXPECT_EQ(resolution(made.raw, other_id).error().code, Errc::conflict);
    made.raw.raw_input = R"({"command":"ls -la "})";
    EXPECT_EQ(resolution(made.raw, good).error().code, Errc::conflict);
}

TEST(Resolution, I9_TheHashOfAmbiguousInputIsAcceptedToo) {
    const auto made = made_of(
        R"({"type":"approval_request","approvalId":"01ARZ3NDEKTSV4RRFFQ69G5FAV","approvalSource":"runtime_tool",)"
        R"("subject":{"kind":"tool_use","toolName":"Bash","toolId":"","rawInput":{"a":1,"a":2},"displayArgs":{}},)"
        R"("options":[{"optionId":"x","label":"X","nativeDecision":"accept"}]})");
    EXPECT_TRUE(resolution(made.raw, verdict(made, Outcome::allowed, "x")));
}

TEST(Resolution, I14_AnOptionThatTheEventDidNotOfferIsNeverSent) {
    const auto made = made_of(tool_use_event);
    EXPECT_EQ(resolution(made.raw, verdict(made, Outcome::allowed, "bypass")).error().code, Errc::unknown_option);
}

TEST(Resolution, I2_OnlyAnAllowEverSendsAnAllow) {
    const auto made = made_of(tool_use_event);
    for (const auto outcome :
         {Outcome::denied, Outcome::expired, Outcome::lost, Outcome::unlogged, Outcome::cancelled}) {
        EXPECT_EQ(resolution(made.raw, verdict(made, outcome, "allow")).error().code, Errc::conflict);
        EXPECT_TRUE(resolution(made.raw, verdict(made, outcome, "deny")));
    }
    EXPECT_EQ(resolution(made.raw, verdict(made, Outcome::allowed, "deny")).error().code, Errc::conflict);
    EXPECT_EQ(resolution(made.raw, verdict(made, Outcome::allowed, "")).error().code, Errc::conflict);
}

TEST(Resolution, I14_EveryNativeWordIsReturnedVerbatim) {
    for (const auto* word :
         {"allow", "deny", "accept", "acceptForSession", "acceptWithExecpolicyAmendment", "applyNetworkPolicyAmendment",
          "decline", "cancel", "allow_once", "allow_always", "reject_once", "reject_always", "once", "always", "reject",
          "{\"acceptWithExecpolicyAmendment\":{\"execpolicy_amendment\":[\"touch\"]}}"}) {
        const auto made = made_of(with(tool_use_event, "options.1.nativeDecision", word));
        const auto outcome = made.raw.options[1].effect == Effect::allow ? Outcome::allowed : Outcome::denied;
        const auto line = resolution(made.raw, verdict(made, outcome, "always"));
        ASSERT_TRUE(line) << word;
        const auto read_back = json::read(*line);
        const auto& entry = *read_back->value.object()->find("resolvedApprovals")->array()->front().object();
        EXPECT_EQ(*entry.find("nativeDecision")->string(), word);
    }
}

TEST(Resolution, AnswersAreReturnedUnderTheAgentsOwnLabels) {
    const auto made = made_of(with(question_event, "questions.0.choices.1.label", "Bl\u200Bue"));
    EXPECT_EQ(made.raw.questions[0].choices[1].shown, "Bl\\u{200B}ue");
    auto answered = verdict(made, Outcome::answered, "");
    answered.answers = {{"color", {"Bl\\u{200B}ue"}, ""}, {"notes", {}, "soon"}};
    EXPECT_EQ(resolution(made.raw, answered).value(),
              "{\"resolvedQuestions\":[{\"answers\":[{\"choices\":[\"Bl\u200Bue\"],\"questionId\":\"color\"},"
              "{\"choices\":[],\"questionId\":\"notes\",\"text\":\"soon\"}],"
              "\"approvalId\":\"01ARZ3NDEKTSV4RRFFQ69G5FAV\",\"outcome\":\"answered\"}]}");
}

TEST(Resolution, AnUnansweredQuestionHasNoAnswers) {
    const auto made = made_of(question_event);
    EXPECT_EQ(resolution(made.raw, verdict(made, Outcome::cancelled, "")).value(),
              R"({"resolvedQuestions":[{"approvalId":"01ARZ3NDEKTSV4RRFFQ69G5FAV","outcome":"cancelled"}]})");
}

TEST(Resolution, I14_AnAnswerThatTheEventDidNotOfferIsNeverSent) {
    const auto made = made_of(question_event);
    const auto code = [&made](Answer answer) {
        auto answered = verdict(made, Outcome::answered, "");
        answered.answers = {std::move(answer)};
        return resolution(made.raw, answered).error().code;
    };
    EXPECT_EQ(code({"size", {"S"}, ""}), Errc::unknown_option);
    EXPECT_EQ(code({"color", {"Green"}, ""}), Errc::unknown_option);
    EXPECT_EQ(code({"color", {"Red", "Blue"}, ""}), Errc::conflict);
    EXPECT_EQ(code({"color", {}, "green"}), Errc::conflict);
    EXPECT_EQ(resolution(made.raw, verdict(made, Outcome::allowed, "")).error().code, Errc::conflict);
}

}  // namespace
}  // namespace countersign::runtimes::event
