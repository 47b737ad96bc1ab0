// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/request.hpp"
#include "runtimes/event/fields.hpp"
#include "runtimes/event/translate.hpp"

#include <vector>

namespace countersign::runtimes::event {

struct ReadQuestions {
    Questionnaire shown;
    std::vector<RawQuestion> raw;
};
// Reads `event.questions` and checks their bounds. Ids must be unique, and labels unique within a question.
[[nodiscard]] ReadQuestions read_questions(Fields& event);

}  // namespace countersign::runtimes::event
