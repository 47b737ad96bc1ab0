// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/prompt.hpp"

#include "core/limits.hpp"
#include "tests/channels/terminal_samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace countersign::channels::terminal {
namespace {

using namespace samples;
using namespace std::chrono_literals;

constexpr BootTime start{1'000'000ms};
constexpr BootTime later = start + 10s;

class PromptTest : public ::testing::Test {
protected:
    static Prompt shown(const Request& request, std::vector<Option> offered = options()) {
        Prompt prompt{request, std::move(offered), limits::terminal_dwell, {}};
        prompt.shown(start);
        return prompt;
    }
    static std::optional<Decided> press(Prompt& prompt, std::initializer_list<Key> keys) {
        std::optional<Decided> decided;
        for (const auto& one : keys) {
            EXPECT_FALSE(decided) << "a key was left over";
            decided = prompt.press(one, later);
        }
        return decided;
    }
    static std::string focused(const Prompt& prompt) {
        for (const auto& row : prompt.view().rows) {
            if (row.focused) return row.label;
        }
        return {};
    }
    static Decided chosen(std::string option_id, std::string reason = {}) {
        return {.what = Choose{std::move(option_id)}, .reason = std::move(reason)};
    }
};

const Key up = key(KeyKind::up);
const Key down = key(KeyKind::down);
const Key enter = key(KeyKind::enter);
const Key space = key(KeyKind::space);
const Key tab = key(KeyKind::tab);
const Key back_tab = key(KeyKind::back_tab);
const Key escape = key(KeyKind::escape);
const Key backspace = key(KeyKind::backspace);

TEST_F(PromptTest, TheFocusBeginsOnTheRefusal) { EXPECT_EQ(focused(shown(approval())), "Deny"); }

TEST_F(PromptTest, WithoutARefusalNothingIsFocusedAndEnterDecidesNothing) {
    auto prompt = shown(approval(), {options()[0]});
    EXPECT_EQ(focused(prompt), "");
    EXPECT_FALSE(press(prompt, {enter}));
    EXPECT_FALSE(prompt.view().note.empty());
    EXPECT_EQ(press(prompt, {down, enter}), chosen("allow"));
}

TEST_F(PromptTest, AnUnknownOptionIsNoRefusalToBeginOn) {
    auto odd = options();
    odd[2].known = false;
    auto prompt = shown(approval(), odd);
    EXPECT_EQ(focused(prompt), "");
    EXPECT_EQ(press(prompt, {up, enter}), chosen("deny")) << "and choosing it asks no reason: it counts as an allow";
}

TEST_F(PromptTest, ArrowsAndEnterChooseAnOption) {
    auto prompt = shown(approval());
    EXPECT_EQ(press(prompt, {up, up, enter}), chosen("allow"));
}

TEST_F(PromptTest, TheListDoesNotWrapAround) {
    auto prompt = shown(approval());
    EXPECT_FALSE(press(prompt, {down, down, down}));
    EXPECT_EQ(focused(prompt), "Deny");
    EXPECT_FALSE(press(prompt, {up, up, up, up}));
    EXPECT_EQ(focused(prompt), "Allow once");
}

TEST_F(PromptTest, KeysWithinTheDwellTimeNeitherDecideNorMoveTheFocus) {
    auto prompt = shown(approval());
    EXPECT_FALSE(prompt.press(up, start));
    EXPECT_FALSE(prompt.press(enter, start + 299ms));
    EXPECT_EQ(focused(prompt), "Deny");
    EXPECT_FALSE(prompt.typing());
    EXPECT_FALSE(prompt.press(up, start + 300ms));
    EXPECT_EQ(prompt.press(enter, start + 300ms), chosen("session"));
}

TEST_F(PromptTest, NoKeyCountsBeforeTheCardIsShownOrAfterItIsHidden) {
    Prompt prompt{approval(), options(), 0ms, {}};
    EXPECT_FALSE(press(prompt, {up, up, enter, enter, escape, escape}));
    EXPECT_EQ(focused(prompt), "Deny");
    prompt.shown(start);
    EXPECT_FALSE(press(prompt, {up, up}));
    prompt.hidden();
    EXPECT_FALSE(press(prompt, {enter}));
    prompt.shown(later);
    EXPECT_EQ(press(prompt, {enter}), chosen("allow")) << "the draft is as it was left";
}

TEST_F(PromptTest, ADenyAsksForAReasonThatMayBeEmpty) {
    auto prompt = shown(approval());
    EXPECT_FALSE(press(prompt, {enter}));
    ASSERT_TRUE(prompt.view().field);
    EXPECT_TRUE(prompt.typing());
    EXPECT_EQ(press(prompt, {enter}), chosen("deny"));
}

TEST_F(PromptTest, TheReasonIsWhatWasTyped) {
    auto prompt = shown(approval());
    EXPECT_EQ(press(prompt, {enter, typed("n"), typed("ö"), typed("x"), backspace, space, typed("!"), enter}),
              chosen("deny", "nö !"));
}

TEST_F(PromptTest, TheReasonIsEditedAtTheCursor) {
    auto prompt = shown(approval());
    const auto type = [&](std::initializer_list<KeyKind> kinds) {
        for (const auto kind : kinds) (void)press(prompt, {key(kind)});
        return prompt.view().field->text;
    };
    const auto cursor = [&] { return prompt.view().field->cursor; };
    (void)press(prompt, {enter, {KeyKind::paste, "not on a Friday"}});
    EXPECT_EQ(cursor(), 15U);
    EXPECT_EQ(type({KeyKind::erase_word}), "not on a ");
    (void)press(prompt, {{KeyKind::paste, "Mondäy"}});
    EXPECT_EQ(type({KeyKind::left, KeyKind::left, KeyKind::erase_forward}), "not on a Mondy");
    (void)press(prompt, {typed("a")});
    EXPECT_EQ(type({KeyKind::right, KeyKind::right, KeyKind::right}), "not on a Monday");
    EXPECT_EQ(cursor(), 15U) << "it stays at the end";
    EXPECT_EQ(type({KeyKind::home, KeyKind::left, KeyKind::erase_forward}), "ot on a Monday");
    (void)press(prompt, {typed("N")});
    EXPECT_EQ(type({KeyKind::end, KeyKind::erase_word, KeyKind::erase_word}), "Not on ");
    EXPECT_EQ(type({KeyKind::home, KeyKind::right, KeyKind::right, KeyKind::erase_after}), "No");
    EXPECT_EQ(type({KeyKind::left, KeyKind::erase_before}), "o");
    EXPECT_EQ(prompt.press(enter, later + 1s), chosen("deny", "o")) << "a while after the paste";
}

TEST_F(PromptTest, ALetterAndTheMarksOnItAreOneStep) {
    auto prompt = shown(question({notes()}));
    (void)press(prompt, {{KeyKind::paste, "ae\u0301\u0302z"}, key(KeyKind::left), key(KeyKind::left)});
    EXPECT_EQ(prompt.view().field->cursor, 1U);
    (void)press(prompt, {key(KeyKind::erase_forward)});
    EXPECT_EQ(prompt.view().field->text, "az");
    (void)press(prompt, {{KeyKind::paste, "漢"}, backspace, backspace, backspace, backspace});
    EXPECT_EQ(prompt.view().field->text, "z");
    (void)press(prompt, {key(KeyKind::end), key(KeyKind::erase_before), backspace, key(KeyKind::erase_word)});
    EXPECT_EQ(prompt.view().field->text, "");
}

TEST_F(PromptTest, EscInTheReasonLeavesTheRequestUndecided) {
    auto prompt = shown(approval());
    EXPECT_FALSE(press(prompt, {enter, typed("x"), escape}));
    EXPECT_FALSE(prompt.typing());
    EXPECT_FALSE(press(prompt, {escape})) << "it is the first Esc of the list";
    EXPECT_EQ(press(prompt, {escape}), chosen("deny"));
}

TEST_F(PromptTest, EscNeverAllows) {
    auto prompt = shown(approval());
    EXPECT_FALSE(press(prompt, {up, up, escape}));
    EXPECT_EQ(focused(prompt), "Deny");
    EXPECT_EQ(press(prompt, {escape}), chosen("deny"));
}

TEST_F(PromptTest, AKeyBetweenTwoEscsTakesTheFirstOneBack) {
    auto prompt = shown(approval());
    EXPECT_FALSE(press(prompt, {escape, up, escape}));
    EXPECT_EQ(press(prompt, {escape}), chosen("deny"));
}

TEST_F(PromptTest, TwoEscsWithoutARefusalOnOfferAreACancel) {
    auto prompt = shown(approval(), {options()[0]});
    EXPECT_FALSE(press(prompt, {down, escape}));
    EXPECT_EQ(focused(prompt), "");
    EXPECT_EQ(press(prompt, {escape}), (Decided{.what = Cancel{}, .reason = {}}));
}

TEST_F(PromptTest, PastedTextDecidesNothing) {
    auto prompt = shown(approval());
    EXPECT_FALSE(press(prompt, {up, up, {KeyKind::paste, "allow\n"}}));
    EXPECT_FALSE(prompt.press(enter, later + 299ms)) << "what follows a paste at once may be part of it";
    EXPECT_EQ(prompt.press(enter, later + 300ms), chosen("allow"));
}

TEST_F(PromptTest, AfterADecisionNoKeyCountsUntilItIsReopened) {
    auto prompt = shown(approval());
    ASSERT_TRUE(press(prompt, {up, enter}));
    EXPECT_TRUE(prompt.view().waiting);
    EXPECT_FALSE(press(prompt, {enter, escape, escape}));
    prompt.reopen();
    EXPECT_EQ(press(prompt, {enter}), chosen("session"));
}

TEST_F(PromptTest, I13_AReasonOnePastItsBoundIsRefusedNotCut) {
    auto prompt = shown(approval());
    const std::string most(limits::reason_bytes_max, 'a');
    EXPECT_FALSE(press(prompt, {enter, {KeyKind::paste, most}, typed("b")}));
    EXPECT_NE(prompt.view().note.find("too long"), std::string::npos);
    EXPECT_EQ(prompt.press(enter, later + 1s), chosen("deny", most));
}

TEST_F(PromptTest, TheLastRowRefusesAllThatWaitBehind) {
    auto prompt = shown(approval());
    prompt.behind(2);
    ASSERT_EQ(prompt.view().rows.size(), 4U);
    EXPECT_EQ(prompt.view().rows.back().label, "Deny all 3");
    EXPECT_EQ(focused(prompt), "Deny");
    auto all = chosen("deny", "no");
    all.and_behind = true;
    EXPECT_EQ(press(prompt, {down, enter, typed("n"), typed("o"), enter}), all);
}

TEST_F(PromptTest, TheOtherRowsRefuseAndAllowOneOnly) {
    for (const auto* number : {"1", "2", "3"}) {
        auto prompt = shown(approval());
        prompt.behind(2);
        EXPECT_FALSE(press(prompt, {typed(number)}));
        auto decided = press(prompt, {enter});
        if (!decided) decided = press(prompt, {enter});
        ASSERT_TRUE(decided) << number;
        EXPECT_FALSE(decided->and_behind) << number;
    }
    auto prompt = shown(approval());
    prompt.behind(2);
    EXPECT_EQ(press(prompt, {escape, escape}), chosen("deny")) << "Esc means the one on the card";
}

TEST_F(PromptTest, WhenNothingWaitsBehindAnyMoreThatRowIsGone) {
    auto prompt = shown(approval());
    prompt.behind(2);
    EXPECT_FALSE(press(prompt, {typed("4"), enter, typed("x")}));
    EXPECT_TRUE(prompt.typing());
    prompt.behind(0);
    EXPECT_EQ(press(prompt, {typed("1"), enter}), chosen("deny", "x1")) << "what is typed does not become a choice";
    auto idle = shown(approval());
    idle.behind(2);
    EXPECT_FALSE(press(idle, {typed("4")}));
    idle.behind(0);
    EXPECT_EQ(idle.view().rows.size(), 3U);
    EXPECT_EQ(focused(idle), "Deny");
    auto without = shown(approval(), {options()[0]});
    without.behind(2);
    EXPECT_EQ(without.view().rows.size(), 1U) << "without a refusal there is none for all";
}

TEST_F(PromptTest, ASingleQuestionIsAnsweredWithEnter) {
    auto prompt = shown(question({stack()}));
    EXPECT_EQ(press(prompt, {down, enter}), (Decided{.what = Submit{{{"Stack", {"Vue"}, ""}}}, .reason = {}}));
}

TEST_F(PromptTest, TwoEscsCancelAQuestionFromEverywhereAndOneDoesNot) {
    const Decided cancelled{.what = Cancel{}, .reason = {}};
    auto list = shown(question({stack()}));
    EXPECT_FALSE(press(list, {escape, down, escape})) << "a key between them takes the first one back";
    EXPECT_EQ(list.view().note, "Esc again cancels the question");
    EXPECT_EQ(press(list, {escape}), cancelled);
    auto text = shown(question({notes()}));
    EXPECT_FALSE(press(text, {typed("x"), escape}));
    EXPECT_EQ(press(text, {escape}), cancelled);
    auto bundle = shown(question({stack(), notes()}));
    EXPECT_FALSE(press(bundle, {tab, tab, escape}));
    EXPECT_EQ(press(bundle, {escape}), cancelled);
}

TEST_F(PromptTest, EscInATextGoesBackToTheChoicesAndKeepsWhatWasTyped) {
    auto prompt = shown(question({stack()}));
    EXPECT_FALSE(press(prompt, {down, down, down, enter, typed("x"), escape}));
    EXPECT_FALSE(prompt.typing());
    EXPECT_FALSE(press(prompt, {escape})) << "it is the first Esc of the list";
    EXPECT_FALSE(press(prompt, {enter}));
    ASSERT_TRUE(prompt.view().field);
    EXPECT_EQ(prompt.view().field->text, "x");
}

TEST_F(PromptTest, ADigitMovesToItsOptionAndDecidesNothing) {
    auto prompt = shown(approval());
    EXPECT_FALSE(press(prompt, {typed("1")}));
    EXPECT_EQ(focused(prompt), options()[0].label);
    EXPECT_FALSE(press(prompt, {typed("9"), typed("0")})) << "there are not so many";
    EXPECT_EQ(focused(prompt), options()[0].label);
    EXPECT_EQ(press(prompt, {enter}), chosen("allow"));
}

TEST_F(PromptTest, ADigitMovesToAChoiceOfAQuestionAndAnswersNothing) {
    auto prompt = shown(question({stack()}));
    EXPECT_FALSE(press(prompt, {typed("3")}));
    EXPECT_EQ(focused(prompt), "Svelte");
    EXPECT_FALSE(press(prompt, {typed("9"), typed("0"), typed("x")}));
    EXPECT_EQ(focused(prompt), "Svelte");
    EXPECT_FALSE(press(prompt, {typed("4")}));
    EXPECT_EQ(focused(prompt), "Type something.");
    EXPECT_FALSE(prompt.typing());
    EXPECT_EQ(press(prompt, {typed("2"), enter}), (Decided{.what = Submit{{{"Stack", {"Vue"}, ""}}}, .reason = {}}));
}

TEST_F(PromptTest, ADigitTicksWhereAnyNumberCanBeChosen) {
    auto prompt = shown(question({targets()}));
    EXPECT_FALSE(press(prompt, {typed("1"), typed("3"), typed("2"), typed("2")}));
    const auto decided = press(prompt, {enter});
    ASSERT_TRUE(decided);
    EXPECT_EQ(std::get<Submit>(decided->what), (Submit{{{"Targets", {"web", "android"}, ""}}}));
}

TEST_F(PromptTest, TypeSomethingOpensAnEntryAndEnterTakesIt) {
    auto prompt = shown(question({stack()}));
    EXPECT_FALSE(press(prompt, {down, down, down, enter}));
    EXPECT_TRUE(prompt.typing());
    EXPECT_EQ(prompt.view().rows.size(), 4U) << "the choices stay in sight";
    EXPECT_FALSE(press(prompt, {enter})) << "an empty text is no answer";
    EXPECT_EQ(press(prompt, {enter, typed("Q"), typed("t"), enter}),
              (Decided{.what = Submit{{{"Stack", {}, "Qt"}}}, .reason = {}}));
}

TEST_F(PromptTest, SpaceTogglesSeveralAndEnterAloneChoosesNone) {
    auto prompt = shown(question({targets()}));
    EXPECT_FALSE(press(prompt, {enter}));
    EXPECT_FALSE(prompt.view().note.empty());
    EXPECT_EQ(press(prompt, {space, down, space, space, down, space, enter}),
              (Decided{.what = Submit{{{"Targets", {"web", "android"}, ""}}}, .reason = {}}));
}

TEST_F(PromptTest, ABundleIsSubmittedOnlyWhenAllThatIsRequiredIsAnswered) {
    auto prompt = shown(question({stack(), targets(), notes()}));
    EXPECT_FALSE(prompt.view().submit_active);
    EXPECT_FALSE(press(prompt, {back_tab}));
    ASSERT_TRUE(prompt.view().submit_current);
    EXPECT_FALSE(press(prompt, {enter}));
    EXPECT_EQ(prompt.view().note, "still open: Stack");

    EXPECT_FALSE(press(prompt, {tab, enter}));
    EXPECT_TRUE(prompt.view().tabs[1].current) << "an answer moves on";
    EXPECT_FALSE(press(prompt, {tab, tab, enter}));
    EXPECT_EQ(prompt.view().note, "still open: Targets");
    EXPECT_FALSE(press(prompt, {back_tab, back_tab, down, space, tab, tab}));
    EXPECT_TRUE(prompt.view().submit_active) << "what is optional may stay open";
    EXPECT_EQ(press(prompt, {enter}),
              (Decided{.what = Submit{{{"Stack", {"React"}, ""}, {"Targets", {"ios"}, ""}}}, .reason = {}}));
}

TEST_F(PromptTest, ATextIsADraftUntilEnterTakesIt) {
    auto prompt = shown(question({stack(), notes()}));
    EXPECT_FALSE(press(prompt, {enter, typed("h"), tab, back_tab}));
    EXPECT_FALSE(prompt.view().tabs[1].answered);
    EXPECT_EQ(prompt.view().field->text, "h");
    EXPECT_FALSE(press(prompt, {enter}));
    EXPECT_TRUE(prompt.view().tabs[1].answered);
    EXPECT_EQ(press(prompt, {enter}),
              (Decided{.what = Submit{{{"Stack", {"React"}, ""}, {"Notes", {}, "h"}}}, .reason = {}}));
}

TEST_F(PromptTest, AChoiceAndATextExcludeEachOtherWhereOneIsAsked) {
    auto prompt = shown(question({stack(), targets()}));
    EXPECT_FALSE(press(prompt, {down, down, down, enter, typed("x"), enter, back_tab, up, space}));
    EXPECT_FALSE(press(prompt, {tab, space, enter}));
    EXPECT_EQ(press(prompt, {enter}),
              (Decided{.what = Submit{{{"Stack", {"Svelte"}, ""}, {"Targets", {"web"}, ""}}}, .reason = {}}));
}

TEST_F(PromptTest, ASecretIsDrawnAsDots) {
    auto secret = notes();
    secret.secret = true;
    auto prompt = shown(question({secret}));
    EXPECT_FALSE(press(prompt, {typed("p"), typed("w")}));
    EXPECT_EQ(prompt.view().field->text, "••");
    EXPECT_EQ(press(prompt, {enter}), (Decided{.what = Submit{{{"Notes", {}, "pw"}}}, .reason = {}}));
}

TEST_F(PromptTest, PastedTextIsTakenOnlyWhereTextIsTyped) {
    auto prompt = shown(question({stack()}));
    EXPECT_FALSE(press(prompt, {{KeyKind::paste, "Vue\n"}}));
    EXPECT_EQ(focused(prompt), "React");
    auto text = shown(question({notes()}));
    EXPECT_FALSE(press(text, {{KeyKind::paste, "two\nlines"}}));
    EXPECT_EQ(text.press(enter, later + 1s), (Decided{.what = Submit{{{"Notes", {}, "two\nlines"}}}, .reason = {}}));
}

TEST_F(PromptTest, I13_AnAnswerOnePastItsBoundIsRefusedNotCut) {
    auto prompt = shown(question({notes()}));
    const std::string most(limits::answer_text_bytes_max, 'a');
    EXPECT_FALSE(press(prompt, {{KeyKind::paste, most}, typed("b")}));
    EXPECT_NE(prompt.view().note.find("too long"), std::string::npos);
    EXPECT_EQ(prompt.press(enter, later + 1s), (Decided{.what = Submit{{{"Notes", {}, most}}}, .reason = {}}));
}

}  // namespace
}  // namespace countersign::channels::terminal
