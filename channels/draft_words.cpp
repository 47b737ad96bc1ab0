// SPDX-License-Identifier: Apache-2.0
#include "channels/draft_words.hpp"

#include <cstddef>
#include <utility>

namespace countersign::channels {

std::string draft_words(const Draft& draft, const Questionnaire& questionnaire, Language language) {
    std::string words;
    for (std::size_t at = 0; at < questionnaire.questions.size(); ++at) {
        const auto& chosen = draft.chosen()[at];
        if (chosen.empty() && !draft.has_text(at)) continue;
        words += (words.empty() ? "" : "; ") + std::to_string(at + 1) + ". ";
        std::string separator;
        for (const auto choice : chosen) {
            words += std::exchange(separator, ", ") + questionnaire.questions[at].choices[choice].label;
        }
        if (draft.has_text(at)) words += pattern(language, Key::answer_written);
    }
    return words.empty() ? std::string{pattern(language, Key::chosen_nothing)} : words;
}

}  // namespace countersign::channels
