// SPDX-License-Identifier: Apache-2.0
#include "core/draft.hpp"

#include "core/limits.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

Questionnaire stack() {
    Question notes{.question_id = "Notes", .text = "?", .choices = {}, .free_text = true};
    notes.required = false;
    return {{{.question_id = "Stack", .text = "?", .choices = {{"React", ""}, {"Vue", ""}}},
             {.question_id = "Targets", .text = "?", .choices = {{"web", ""}, {"ios", ""}}, .multiple = true},
             notes}};
}

TEST(DraftTest, AnAnswerIsANumberALabelOrFreeText) {
    const auto bundle = stack();
    EXPECT_EQ(*read_answer(bundle, "1 Vue"), (Written{0, {1}, ""}));
    EXPECT_EQ(*read_answer(bundle, "1. 2"), (Written{0, {1}, ""}));
    EXPECT_EQ(*read_answer(bundle, "2 web, 2"), (Written{1, {0, 1}, ""}));
    EXPECT_EQ(*read_answer(bundle, " 3  two\nlines "), (Written{2, {}, "two\nlines"}));
    for (const auto* bad : {"", "Vue", "4 x", "0 x", "1 Angular", "1 web, ios", "2 web, x", "3", "3 "}) {
        EXPECT_FALSE(read_answer(bundle, bad)) << bad;
    }
    const Questionnaire one{{{.question_id = "q", .text = "?", .choices = {{"A", ""}}, .free_text = true}}};
    EXPECT_EQ(*read_answer(one, "1"), (Written{0, {0}, ""}));
    EXPECT_EQ(*read_answer(one, "8080"), (Written{0, {}, "8080"}));
}

TEST(DraftTest, I13_AnAnswerPastTheBoundIsRefused) {
    const Questionnaire one{{{.question_id = "q", .text = "?", .choices = {}, .free_text = true}}};
    EXPECT_TRUE(read_answer(one, std::string(limits::answer_text_bytes_max, 'a')));
    EXPECT_EQ(read_answer(one, std::string(limits::answer_text_bytes_max + 1, 'a')).error().code, Errc::too_large);
}

TEST(DraftTest, ATapSelectsAChoiceAndASecondTapClearsIt) {
    const auto bundle = stack();
    Draft draft{bundle};
    draft.pick(bundle, 0, 0);
    draft.pick(bundle, 0, 1);
    draft.pick(bundle, 1, 0);
    draft.pick(bundle, 1, 1);
    draft.pick(bundle, 1, 0);
    EXPECT_EQ(draft.chosen(), (Chosen{{1}, {1}, {}}));
    EXPECT_EQ(draft.missing(bundle), std::nullopt);
    EXPECT_EQ(draft.answers(bundle), (std::vector<Answer>{{"Stack", {"Vue"}, ""}, {"Targets", {"ios"}, ""}}));
    draft.pick(bundle, 0, 1);
    EXPECT_EQ(draft.missing(bundle), 0U) << "it was given back";
    draft.write({2, {}, "secret words"});
    EXPECT_EQ(draft.chosen(), (Chosen{{}, {1}, {}}));
    EXPECT_TRUE(draft.has_text(2));
}

}  // namespace
}  // namespace countersign
