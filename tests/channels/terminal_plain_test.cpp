// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/plain_prompt.hpp"

#include "channels/terminal/inbound.hpp"
#include "core/limits.hpp"
#include "tests/channels/terminal_samples.hpp"

#include <gtest/gtest.h>

namespace countersign::channels::terminal {
namespace {

using namespace samples;
using namespace std::chrono_literals;

constexpr BootTime start{1'000'000ms};

class PlainPromptTest : public ::testing::Test {
protected:
    static PlainPrompt asking(Request request, std::vector<Option> offered = options()) {
        PlainPrompt prompt{std::make_shared<const Request>(std::move(request)), std::move(offered), 300ms, {}};
        prompt.shown(start);
        return prompt;
    }
    static PlainReply answer(PlainPrompt& prompt, std::string_view line) { return prompt.answer(line, start + 1s); }
    static Decided chosen(std::string option_id, std::string reason = {}) {
        return {.what = Choose{std::move(option_id)}, .reason = std::move(reason)};
    }
    static Decided submitted(std::vector<Answer> answers) { return {.what = Submit{std::move(answers)}, .reason = {}}; }
};

TEST_F(PlainPromptTest, TheChoicesAreNumbered) {
    EXPECT_TRUE(asking(approval())
                    .choices()
                    .starts_with("high risk · Bash: rm -rf build (line 1 of 2)\n"
                                 "1) Allow once  2) Allow this exact call for this session  3) Deny\n"));
    EXPECT_TRUE(asking(question({stack()})).choices().starts_with("Stack: 1) React  2) Vue  3) Svelte\n"));
}

TEST_F(PlainPromptTest, BelowTheCardTheChoicesAreNotListedAgainUnlessOneOfSeveralIsAnswered) {
    EXPECT_TRUE(asking(approval())
                    .below_card()
                    .starts_with("high risk · Bash: rm -rf build (line 1 of 2)\n"
                                 "Type a number"));
    EXPECT_TRUE(asking(question({stack()})).below_card().starts_with("Type a number"));
    EXPECT_TRUE(asking(question({stack(), notes()})).below_card().starts_with("Stack: 1) React"));
}

TEST_F(PlainPromptTest, AnOptionIsTakenByNumberOrLabelAndNotByTheIdThatNobodySees) {
    for (const auto* line : {"1", " 1 ", "Allow once", "ALLOW ONCE\r"}) {
        auto prompt = asking(approval());
        EXPECT_EQ(answer(prompt, line).decided, chosen("allow")) << line;
    }
    auto prompt = asking(approval());
    EXPECT_FALSE(answer(prompt, "allow").decided);
}

TEST_F(PlainPromptTest, AgreementWithoutAnObjectDecidesNothingAndListsTheChoices) {
    auto options_with_yes = options();
    options_with_yes[0].label = "Yes";
    for (const auto* line :
         {"ok", "yes", "Y", "OKAY", "sure", "", "0", "4", "-1", "1x", "allow once please", "1 2", "+1"}) {
        auto prompt = asking(approval(), options_with_yes);
        const auto reply = answer(prompt, line);
        EXPECT_FALSE(reply.decided) << line;
        EXPECT_NE(reply.say.find("1) Yes"), std::string::npos) << line;
        EXPECT_NE(reply.say.find("Nothing was decided"), std::string::npos) << line;
    }
}

TEST_F(PlainPromptTest, OnlyARefusalTakesAReason) {
    auto prompt = asking(approval());
    EXPECT_EQ(answer(prompt, "3 not on a Friday").decided, chosen("deny", "not on a Friday"));
    auto other = asking(approval());
    EXPECT_FALSE(answer(other, "1 but only if the tests pass").decided);
    EXPECT_EQ(answer(other, "deny no").decided, chosen("deny", "no"));
}

TEST_F(PlainPromptTest, WhatWaitsBehindIsRefusedByItsNumberOrItsName) {
    for (const auto* line : {"4", "deny all", "Deny all 3", "4 not now", "deny all not now"}) {
        auto prompt = asking(approval());
        prompt.behind(2);
        const auto decided = answer(prompt, line).decided;
        ASSERT_TRUE(decided) << line;
        EXPECT_TRUE(decided->and_behind) << line;
        EXPECT_EQ(std::get<Choose>(decided->what).option_id, "deny") << line;
        EXPECT_EQ(decided->reason, std::string_view{line}.ends_with("now") ? "not now" : "") << line;
    }
    for (const auto* line : {"1", "3", "deny", "deny because", "cancel"}) {
        auto prompt = asking(approval());
        prompt.behind(2);
        EXPECT_FALSE(answer(prompt, line).decided->and_behind) << line;
    }
    auto prompt = asking(approval());
    EXPECT_EQ(answer(prompt, "deny all").decided, chosen("deny", "all")) << "nothing waits behind it";
}

TEST_F(PlainPromptTest, OfTwoNamesThatFitTheLongerIsMeant) {
    auto offered = options();
    offered.push_back({.option_id = "stop", .label = "Deny and stop", .detail = "", .effect = Effect::deny});
    auto prompt = asking(approval(), offered);
    EXPECT_EQ(answer(prompt, "deny and stop please").decided, chosen("stop", "please"));
}

TEST_F(PlainPromptTest, I2_ALineThatBeginsWithANoNeverAllows) {
    for (const auto* line :
         {"deny", "Deny all", "deny because it is late", "NO, thanks", "cancel-all", "reject: all"}) {
        auto deceiving = options();
        deceiving[0].label = line;
        auto prompt = asking(approval(), {deceiving[0]});
        const auto reply = answer(prompt, line);
        EXPECT_FALSE(reply.decided) << line;
    }
    for (const auto* line : {"Denying hosts", "Now", "Nothing but this", "Cancelled jobs", "Noël"}) {
        auto honest = options();
        honest[0].label = line;
        auto prompt = asking(approval(), {honest[0]});
        EXPECT_EQ(answer(prompt, line).decided, chosen("allow")) << line;
    }
}

TEST_F(PlainPromptTest, I13_AReasonOnePastItsBoundIsRefused) {
    const std::string most(limits::reason_bytes_max, 'a');
    auto prompt = asking(approval());
    EXPECT_FALSE(answer(prompt, "3 " + most + "a").decided);
    EXPECT_EQ(answer(prompt, "3 " + most).decided, chosen("deny", most));
}

TEST_F(PlainPromptTest, CancelRefusesAnApproval) {
    auto prompt = asking(approval());
    EXPECT_EQ(answer(prompt, "cancel").decided, chosen("deny"));
    auto abort = options();
    abort.push_back({.option_id = "stop", .label = "Abort", .detail = "", .effect = Effect::cancel});
    auto with_abort = asking(approval(), abort);
    EXPECT_EQ(answer(with_abort, "Cancel").decided, chosen("stop"));
    auto allow_only = asking(approval(), {options()[0]});
    EXPECT_EQ(answer(allow_only, "cancel").decided, (Decided{.what = Cancel{}, .reason = {}}));
}

TEST_F(PlainPromptTest, AQuestionMarkRepeatsTheCard) {
    auto prompt = asking(approval());
    const auto reply = answer(prompt, "?");
    EXPECT_TRUE(reply.repeat);
    EXPECT_FALSE(reply.decided);
}

TEST_F(PlainPromptTest, ALineThatCameBeforeTheCardCouldBeReadDecidesNothing) {
    auto prompt = asking(approval());
    EXPECT_FALSE(prompt.answer("1", start + 299ms).decided);
    prompt.hidden();
    EXPECT_FALSE(prompt.answer("1", start + 10s).decided);
    prompt.shown(start);
    EXPECT_EQ(prompt.answer("1", start + 300ms).decided, chosen("allow"));
}

TEST_F(PlainPromptTest, WhileADecisionIsRecordedASecondLineDecidesNothing) {
    auto prompt = asking(approval());
    ASSERT_TRUE(answer(prompt, "1").decided);
    EXPECT_FALSE(answer(prompt, "3").decided);
    prompt.reopen();
    EXPECT_EQ(answer(prompt, "3").decided, chosen("deny"));
}

TEST_F(PlainPromptTest, AQuestionTakesNumbersLabelsOrText) {
    auto one = asking(question({stack()}));
    EXPECT_EQ(answer(one, "2").decided, submitted({{"Stack", {"Vue"}, ""}}));
    auto label = asking(question({stack()}));
    EXPECT_EQ(answer(label, "svelte").decided, submitted({{"Stack", {"Svelte"}, ""}}));
    auto text = asking(question({stack()}));
    EXPECT_EQ(answer(text, "Qt, please").decided, submitted({{"Stack", {}, "Qt, please"}}));
    auto several = asking(question({targets()}));
    EXPECT_EQ(answer(several, "1, 3,1").decided, submitted({{"Targets", {"web", "android"}, ""}}));
}

TEST_F(PlainPromptTest, WhatIsNoChoiceIsNoAnswer) {
    auto one = asking(question({stack()}));
    EXPECT_FALSE(answer(one, "1,2").decided) << "only one can be chosen";
    EXPECT_FALSE(answer(one, "9").decided) << "a number that is none of them is no text";
    EXPECT_FALSE(answer(one, "").decided);
    EXPECT_EQ(answer(one, "=9").decided, submitted({{"Stack", {}, "9"}}));
    auto several = asking(question({targets()}));
    EXPECT_FALSE(answer(several, "1,desktop").decided);
    EXPECT_FALSE(answer(several, "=web").decided);
    EXPECT_EQ(answer(several, "cancel").decided, (Decided{.what = Cancel{}, .reason = {}}));
}

TEST_F(PlainPromptTest, ABundleIsLookedAtOnceMoreBeforeItIsSubmitted) {
    auto secret = notes();
    secret.secret = true;
    auto prompt = asking(question({stack(), targets(), secret}));
    EXPECT_FALSE(answer(prompt, "1").decided);
    EXPECT_FALSE(answer(prompt, "2,3").decided);
    prompt.reopen();
    EXPECT_TRUE(prompt.secret()) << "somebody else's news does not take the draft away";
    const auto summary = answer(prompt, "hunter2");
    EXPECT_FALSE(summary.decided);
    EXPECT_NE(summary.say.find("Targets: ios, android\nNotes: (given)\n"), std::string::npos);
    EXPECT_FALSE(answer(prompt, "yes").decided);
    EXPECT_EQ(answer(prompt, "submit").decided,
              submitted({{"Stack", {"React"}, ""}, {"Targets", {"ios", "android"}, ""}, {"Notes", {}, "hunter2"}}));
}

TEST_F(PlainPromptTest, TheSummaryEscapesWhatWasTypedAndNotTheLabelsAgain) {
    auto escaped = targets();
    escaped.choices[0].label = R"(web\u{202E})";
    auto prompt = asking(question({escaped, notes()}));
    EXPECT_FALSE(answer(prompt, "1").decided);
    const auto summary = answer(prompt, "typed \xe2\x80\xae").say;
    EXPECT_NE(summary.find("Targets: web\\u{202E}\nNotes: typed \\u{202E}\n"), std::string::npos) << summary;
}

TEST_F(PlainPromptTest, BackBeginsABundleAnewAndAnOptionalQuestionMayBePassedOver) {
    auto prompt = asking(question({stack(), notes()}));
    EXPECT_FALSE(answer(prompt, "1").decided);
    EXPECT_FALSE(answer(prompt, "x").decided);
    EXPECT_FALSE(answer(prompt, "back").decided);
    EXPECT_FALSE(answer(prompt, "2").decided);
    EXPECT_FALSE(answer(prompt, "").decided);
    EXPECT_EQ(answer(prompt, "submit").decided, submitted({{"Stack", {"Vue"}, ""}}));
}

TEST_F(PlainPromptTest, I13_AnAnswerOnePastItsBoundIsRefused) {
    const std::string most(limits::answer_text_bytes_max, 'a');
    auto prompt = asking(question({notes()}));
    EXPECT_FALSE(answer(prompt, most + "a").decided);
    EXPECT_EQ(answer(prompt, most).decided, submitted({{"Notes", {}, most}}));
}

TEST(TerminalInbound, LinesAreWholeOrNone) {
    LineReader reader;
    EXPECT_TRUE(reader.feed("al").empty());
    EXPECT_EQ(reader.feed("low\n\nde"), (std::vector<LineReader::Line>{{"allow"}, {""}}));
    EXPECT_EQ(reader.feed("ny\n"), (std::vector<LineReader::Line>{{"deny"}}));
}

TEST(TerminalInbound, AForgottenLineLeavesNothingBehind) {
    LineReader reader;
    EXPECT_FALSE(reader.forget());
    EXPECT_TRUE(reader.feed("al").empty());
    EXPECT_TRUE(reader.forget());
    EXPECT_EQ(reader.feed("low\n"), (std::vector<LineReader::Line>{{"low"}}));
    EXPECT_FALSE(reader.forget());
}

TEST(TerminalInbound, I13_ALineOnePastItsBoundIsDroppedWhole) {
    LineReader reader;
    const std::string most(limits::terminal_line_bytes_max, 'a');
    EXPECT_EQ(reader.feed(most + "\n"), (std::vector<LineReader::Line>{{most}}));
    EXPECT_EQ(reader.feed(most + "a" + most + "\nnext\n"),
              (std::vector<LineReader::Line>{{"", true}, {"next", false}}));
}

TEST(TerminalInbound, AnAttemptSaysWhoWhereAndWhen) {
    const Seat seat{.principal = "terminal:1000", .channel = "desk", .chat = "/dev/pts/3"};
    const auto attempt = attempt_of({.what = Choose{"deny"}, .reason = "no"}, presentation(approval(), 7), seat,
                                    {.arrived = start, .made = WallTime{5s}});
    EXPECT_EQ(attempt.request_id, id_of(1));
    EXPECT_EQ(attempt.principal, "terminal:1000");
    EXPECT_EQ(attempt.where, (Place{.channel = "desk", .chat = "/dev/pts/3", .thread = "", .message = "7"}));
    EXPECT_EQ(attempt.assurance, Assurance::chat);
    EXPECT_EQ(attempt.arrived, start);
    EXPECT_EQ(attempt.made, WallTime{5s});
    EXPECT_EQ(attempt.reason, "no");
    EXPECT_FALSE(attempt.after_gap);
}

}  // namespace
}  // namespace countersign::channels::terminal
