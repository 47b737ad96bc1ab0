// SPDX-License-Identifier: Apache-2.0
// Draft: the answers to a questionnaire that one person is still putting together, until they submit them. It isn't a
// decision.
#pragma once

#include "core/attempt.hpp"
#include "core/request.hpp"
#include "core/result.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace countersign {

// The selected choices of each question.
using Chosen = std::vector<std::set<std::size_t>>;

// True if answers are collected until Submit; otherwise a tap on a choice is the answer.
[[nodiscard]] bool gathers(const Questionnaire& questionnaire);

// An answer that a person typed.
struct Written {
    std::size_t question = 0;
    std::set<std::size_t> choices;  // named by number or label
    std::string text;               // used if there are no choices
    friend bool operator==(const Written&, const Written&) = default;
};
// Parses an answer such as "2 port 8080": with several questions, the question's number comes first. A choice is given
// by its number or its label; several are separated by commas. Errors: conflict (several questions but no number),
// malformed (empty text), too_large, unknown_option (the question accepts only its choices).
[[nodiscard]] Result<Written> read_answer(const Questionnaire& questionnaire, std::string_view typed);

class Draft {
public:
    explicit Draft(const Questionnaire& questionnaire)
        : chosen_(questionnaire.questions.size()), texts_(questionnaire.questions.size()) {}

    // Selects a choice, or deselects it if it was selected. If only one may be selected, it replaces the other one.
    // Precondition of both functions: the question and the choice exist in the draft's questionnaire.
    void pick(const Questionnaire& questionnaire, std::size_t question, std::size_t choice);
    void write(const Written& written);

    [[nodiscard]] const Chosen& chosen() const { return chosen_; }
    [[nodiscard]] bool has_text(std::size_t question) const { return !texts_[question].empty(); }
    // The index of the first required question without an answer.
    [[nodiscard]] std::optional<std::size_t> missing(const Questionnaire& questionnaire) const;
    [[nodiscard]] std::vector<Answer> answers(const Questionnaire& questionnaire) const;

private:
    Chosen chosen_;
    std::vector<std::string> texts_;
};

}  // namespace countersign
