// SPDX-License-Identifier: Apache-2.0
#include "channels/draft_words.hpp"

#include <gtest/gtest.h>

namespace countersign::channels {
namespace {

TEST(DraftWords, AWrittenAnswerIsOnlySaidToBeThere) {
    const Questionnaire two{
        {{.question_id = "Stack", .text = "?", .choices = {{"React", ""}, {"Vue", ""}}, .multiple = true},
         {.question_id = "Notes", .text = "?", .choices = {}, .free_text = true}}};
    Draft draft{two};
    EXPECT_EQ(draft_words(draft, two), "nothing");
    draft.pick(two, 0, 1);
    draft.pick(two, 0, 0);
    EXPECT_EQ(draft_words(draft, two), "1. React, Vue");
    draft.write({1, {}, "secret words"});
    EXPECT_EQ(draft_words(draft, two), "1. React, Vue; 2. written");
}

}  // namespace
}  // namespace countersign::channels
