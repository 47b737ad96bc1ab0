// SPDX-License-Identifier: Apache-2.0
// Draft: the answers to a questionnaire that one person is putting together, until they submit them. It is not a
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

// Which choices are taken, by question.
using Chosen = std::vector<std::set<std::size_t>>;

// Whether answers are gathered until Submit; else a tap on a choice is the answer.
[[nodiscard]] bool gathers(const Questionnaire& questionnaire);

// An answer that a person typed.
struct Written {
    std::size_t question = 0;
    std::set<std::size_t> choices;  // named by number or label
    std::string text;               // else this
    friend bool operator==(const Written&, const Written&) = default;
};
// "2 port 8080": with several questions the number comes first. A choice is its number, its label, or several of those
// with commas between. Errors: conflict (several questions and no number), malformed (nothing was written), too_large,
// unknown_option (the question takes only its choices).
[[nodiscard]] Result<Written> read_answer(const Questionnaire& questionnaire, std::string_view typed);

class Draft {
public:
    explicit Draft(const Questionnaire& questionnaire)
        : chosen_(questionnaire.questions.size()), texts_(questionnaire.questions.size()) {}

    // Takes a choice, or gives it back if it was taken; where only one may be taken, it replaces the other.
    // Precondition of both: they exist in the questionnaire that the draft is of.
    void pick(const Questionnaire& questionnaire, std::size_t question, std::size_t choice);
    void write(const Written& written);

    [[nodiscard]] const Chosen& chosen() const { return chosen_; }
    [[nodiscard]] bool has_text(std::size_t question) const { return !texts_[question].empty(); }
    // The first required question that has no answer, by its index.
    [[nodiscard]] std::optional<std::size_t> missing(const Questionnaire& questionnaire) const;
    [[nodiscard]] std::vector<Answer> answers(const Questionnaire& questionnaire) const;

private:
    Chosen chosen_;
    std::vector<std::string> texts_;
};

}  // namespace countersign
