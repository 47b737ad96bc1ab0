// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/request.hpp"
#include "runtimes/claude/translate.hpp"

#include <string_view>
#include <vector>

namespace countersign::runtimes::claude {

inline constexpr std::string_view question_tool = "AskUserQuestion";

struct ReadQuestions {
    Questionnaire shown;
    std::vector<RawQuestion> raw;
};
// The questions of an AskUserQuestion, each within its bounds; texts are unique, because answers go back under them.
[[nodiscard]] Result<ReadQuestions> read_questions(const json::Value& input, const security::Redactor& redactor);

// The input as it came, with `answers` beside it. What the model itself put there is left out.
[[nodiscard]] Result<std::string> answered_input(const RawCall& raw, const std::vector<Answer>& answers);

}  // namespace countersign::runtimes::claude
