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
// Reads the questions of an AskUserQuestion call and checks their bounds. Texts must be unique, because answers refer
// to them.
[[nodiscard]] Result<ReadQuestions> read_questions(const json::Value& input, const security::Redactor& redactor);

// The original input with `answers` added. An `answers` member from the model itself is dropped.
[[nodiscard]] Result<std::string> answered_input(const RawCall& raw, const std::vector<Answer>& answers);

}  // namespace countersign::runtimes::claude
