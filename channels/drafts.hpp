// SPDX-License-Identifier: Apache-2.0
// Answers that are being put together, for each person and request, until Submit. A draft is no decision and leaves no
// record.
#pragma once

#include "channels/catalogue.hpp"
#include "core/attempt.hpp"
#include "core/request.hpp"
#include "core/result.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace countersign::channels {

// Which choices are taken, by question.
using Chosen = std::vector<std::set<std::size_t>>;

// Whether a tap on a choice is the answer, or answers are gathered until Submit.
[[nodiscard]] bool gathers(const Questionnaire& questionnaire);

// What somebody wrote as an answer.
struct Written {
    std::size_t question = 0;
    std::set<std::size_t> choices;  // named by number or label
    std::string text;               // else this
    friend bool operator==(const Written&, const Written&) = default;
};
// "2 port 8080": with several questions the number comes first. A choice is its number, its label, or several of those
// with commas between. Why not: conflict (several questions, and no number), malformed (nothing was written),
// too_large, unknown_option (it takes one of its choices).
[[nodiscard]] Result<Written> read_answer(const Questionnaire& questionnaire, std::string_view typed);

class Draft {
public:
    explicit Draft(const Questionnaire& questionnaire)
        : chosen_(questionnaire.questions.size()), texts_(questionnaire.questions.size()) {}

    // A choice is taken, or given back if it was; where only one may be, it replaces the other. Precondition of both:
    // they exist in the questionnaire that the draft is of.
    void pick(const Questionnaire& questionnaire, std::size_t question, std::size_t choice);
    void write(const Written& written);

    [[nodiscard]] const Chosen& chosen() const { return chosen_; }
    // The first required question that has none, by its index.
    [[nodiscard]] std::optional<std::size_t> missing(const Questionnaire& questionnaire) const;
    [[nodiscard]] std::vector<Answer> answers(const Questionnaire& questionnaire) const;
    // "1. React, Vue"; a written answer is only said to be there.
    [[nodiscard]] std::string summary(const Questionnaire& questionnaire, Language language = {}) const;

private:
    Chosen chosen_;
    std::vector<std::string> texts_;
};

class Drafts {
public:
    // Made where there is none; past chat_drafts_max the oldest is forgotten. Valid until the next call.
    [[nodiscard]] Draft& of(const Ulid& request, const std::string& principal, const Questionnaire& questionnaire);
    void forget(const Ulid& request);
    [[nodiscard]] std::size_t size() const { return drafts_.size(); }

private:
    using Key = std::pair<Ulid, std::string>;
    std::map<Key, Draft> drafts_;
    std::deque<Key> by_age_;
};

}  // namespace countersign::channels
