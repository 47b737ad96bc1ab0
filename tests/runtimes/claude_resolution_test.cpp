// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/outgoing.hpp"
#include "tests/runtimes/claude_sample.hpp"

#include <gmock/gmock.h>

namespace countersign::runtimes::claude {
namespace {

using testing::HasSubstr;
using testing::Not;

Translated translated(const std::string& line, AlwaysMode always = AlwaysMode::grant) {
    auto one = made(line, context(no_rules, always));
    EXPECT_TRUE(one);
    return *one;
}
std::string sent(const Translated& call, const Verdict& decided) {
    const auto line = resolution(call.raw, decided);
    return line ? *line : describe(line.error());
}

TEST(ClaudeResolution, I9_AnAllowContainsExactlyTheInputThatWasShown) {
    const auto call = translated(asks("Bash", R"({ "command":"ls\u0020-l" , "n":1.50 })"));
    EXPECT_EQ(sent(call, verdict(call, Outcome::allowed, "allow")),
              answer(R"({"behavior":"allow","updatedInput":{ "command":"ls\u0020-l" , "n":1.50 }})"));
}

TEST(ClaudeResolution, AnEditedInputIsRefusedInsteadOfSendingTheAgentsOwn) {
    const auto call = translated(asks("Bash", R"({"command":"rm -rf build"})"));
    auto edited = verdict(call, Outcome::allowed, "allow");
    edited.edited_input = R"({"command":"ls"})";
    EXPECT_EQ(resolution(call.raw, edited).error().code, Errc::unsupported);
}

TEST(ClaudeResolution, I14_ALastingOptionSendsOnlyItsSuggestionByteForByte) {
    const auto call = translated(bash_line, AlwaysMode::native);
    EXPECT_EQ(sent(call, verdict(call, Outcome::allowed, "s0")),
              answer(R"({"behavior":"allow","updatedInput":{"command":"touch /w/x","description":"Create x"},)"
                     R"("updatedPermissions":[)" +
                     rule_suggestion + "]}"));
}

TEST(ClaudeResolution, TheSessionsGrantIsAPlainAllowForTheCli) {
    const auto call = translated(bash_line);
    EXPECT_EQ(sent(call, verdict(call, Outcome::allowed, "session")),
              sent(call, verdict(call, Outcome::allowed, "allow")));
}

TEST(ClaudeResolution, ADenyAlwaysHasAMessageThatSaysWhy) {
    const auto call = translated(bash_line);
    EXPECT_EQ(sent(call, verdict(call, Outcome::denied, "deny", "not \"now\"")),
              answer(R"({"behavior":"deny","message":"This was denied: not \"now\""})"));
    EXPECT_EQ(sent(call, verdict(call, Outcome::denied, "deny")),
              answer(R"({"behavior":"deny","message":"This was denied."})"));
    for (const auto outcome : {Outcome::expired, Outcome::undeliverable, Outcome::unlogged, Outcome::lost,
                               Outcome::withdrawn, Outcome::indeterminate, Outcome::cancelled}) {
        const auto line = sent(call, verdict(call, outcome, "deny", "because"));
        EXPECT_THAT(line, HasSubstr(R"("behavior":"deny")")) << name(outcome);
        EXPECT_THAT(line, HasSubstr("because")) << name(outcome);
        EXPECT_THAT(line, Not(HasSubstr("denied"))) << "no failure looks like a person's no: " << name(outcome);
        EXPECT_THAT(line, Not(HasSubstr("interrupt"))) << name(outcome);
    }
}

TEST(ClaudeResolution, I2_OnlyAnAllowAllows) {
    const auto call = translated(bash_line);
    EXPECT_EQ(resolution(call.raw, verdict(call, Outcome::allowed, "deny")).error().code, Errc::conflict);
    EXPECT_EQ(resolution(call.raw, verdict(call, Outcome::allowed, "")).error().code, Errc::unknown_option);
    EXPECT_EQ(resolution(call.raw, verdict(call, Outcome::allowed, "s9")).error().code, Errc::unknown_option);
    EXPECT_EQ(resolution(call.raw, verdict(call, Outcome::denied, "allow")).error().code, Errc::conflict);
    EXPECT_EQ(resolution(call.raw, verdict(call, Outcome::answered)).error().code, Errc::conflict);
    EXPECT_THAT(sent(call, verdict(call, Outcome::expired)), HasSubstr(R"("behavior":"deny")"));
}

TEST(ClaudeResolution, I9_ADecisionAboutAnotherCallIsNotSent) {
    auto call = translated(bash_line);
    const auto good = verdict(call, Outcome::allowed, "allow");
    auto other = good;
    other.args_hash = std::string(64, '0');
    EXPECT_EQ(resolution(call.raw, other).error().code, Errc::conflict);
    other = good;
    other.request_id = *Ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAW");
    EXPECT_EQ(resolution(call.raw, other).error().code, Errc::conflict);
    call.raw.raw_input = R"({"command":"rm -rf /","description":"Create x"})";
    EXPECT_EQ(resolution(call.raw, good).error().code, Errc::conflict);
}

TEST(ClaudeResolution, AnswersAreReturnedUnderTheTextOfTheirQuestion) {
    const auto call = translated(asks("AskUserQuestion", question_input));
    auto decided = verdict(call, Outcome::answered);
    decided.answers = {{.question_id = "q0", .choices = {"Blue"}, .text = {}},
                       {.question_id = "q1", .choices = {"S", "L"}, .text = "and \"XL\""}};
    EXPECT_EQ(sent(call, decided),
              answer(R"({"behavior":"allow","updatedInput":)" + question_input.substr(0, question_input.size() - 1) +
                     R"(,"answers":{"Which color?":"Blue","Which sizes?":"S, L, and \"XL\""}}})"));
}

TEST(ClaudeResolution, AnswersThatTheModelGaveForThePersonAreLeftOut) {
    const auto call =
        translated(asks("AskUserQuestion",
                        R"({"answers":{"Which?":"A"},"questions":[{"question":"Which?","options":[{"label":"A"}]}]})"));
    auto decided = verdict(call, Outcome::answered);
    decided.answers = {{.question_id = "q0", .choices = {}, .text = "neither"}};
    const auto line = sent(call, decided);
    EXPECT_THAT(line, HasSubstr(R"("answers":{"Which?":"neither"})"));
    EXPECT_THAT(line, Not(HasSubstr(R"({"Which?":"A"})")));
}

TEST(ClaudeResolution, I14_AnAnswerThatTheQuestionDoesNotOfferIsNotSent) {
    const auto call = translated(asks("AskUserQuestion", question_input));
    const auto code_of = [&](Answer given) {
        auto decided = verdict(call, Outcome::answered);
        decided.answers = {std::move(given)};
        const auto line = resolution(call.raw, decided);
        return line ? Errc::internal : line.error().code;
    };
    EXPECT_EQ(code_of({.question_id = "q0", .choices = {"Green"}, .text = {}}), Errc::unknown_option);
    EXPECT_EQ(code_of({.question_id = "q0", .choices = {"Red", "Blue"}, .text = {}}), Errc::conflict);
    EXPECT_EQ(code_of({.question_id = "q7", .choices = {}, .text = "x"}), Errc::unknown_option);
    EXPECT_EQ(resolution(call.raw, verdict(call, Outcome::allowed, "allow")).error().code, Errc::conflict);
    EXPECT_EQ(sent(call, verdict(call, Outcome::cancelled)),
              answer(R"({"behavior":"deny","message":"The questions were dismissed without an answer."})"));
}

TEST(ClaudeOutgoing, EveryLineIsOneLineAndJsonForEveryLineReader) {
    const std::string nasty = "a\rb\nc\u2028d\u2029e\"\\";
    const auto call =
        translated("{\"type\":\"control_request\",\"request_id\":" + native +
                   ",\r\"request\":{\"subtype\":\"can_use_tool\",\"tool_name\":\"Bash\",\"input\":{\r\"command\":"
                   "\"ls \u2028\"}}}");
    for (const auto& line :
         {deny_line(native, nasty), error_line(native, nasty), prompt_line(nasty),
          request_line(nasty, R"({"subtype":"x"})"), sent(call, verdict(call, Outcome::allowed, "allow"))}) {
        EXPECT_EQ(line.find_first_of("\r\n"), std::string::npos) << line;
        EXPECT_EQ(line.find("\u2028"), std::string::npos) << line;
        EXPECT_EQ(line.find("\u2029"), std::string::npos) << line;
        EXPECT_TRUE(json::read(line)) << line;
    }
    const auto read = json::read(prompt_line(nasty));
    EXPECT_THAT(json::canonical(read->value), HasSubstr(json::canonical(json::Value{nasty}))) << "nothing is lost";
}

}  // namespace
}  // namespace countersign::runtimes::claude
