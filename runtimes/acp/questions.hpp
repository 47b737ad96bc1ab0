// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/request.hpp"
#include "runtimes/acp/translate.hpp"

#include <string>
#include <vector>

namespace countersign::runtimes::acp {

struct ReadQuestions {
    Questionnaire shown;
    std::vector<RawQuestion> raw;
};
// Reads the fields of a form and checks their bounds. A text field "x_custom" that is not required becomes the free
// text of the choice "x".
[[nodiscard]] Result<ReadQuestions> read_questions(const Ask& ask, const security::Redactor& redactor);

// The JSON-RPC result with these answers. Errc::malformed for a text that is not the number which the form wants.
[[nodiscard]] Result<std::string> answers_result(const RawCall& raw, const std::vector<Answer>& answers);

}  // namespace countersign::runtimes::acp
