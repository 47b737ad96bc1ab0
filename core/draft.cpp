// SPDX-License-Identifier: Apache-2.0
#include "core/draft.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace countersign {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// Parses a number from 1 to `most` and returns it as an index.
std::optional<std::size_t> number(std::string_view text, std::size_t most) {
    if (text.ends_with('.')) text.remove_suffix(1);
    std::size_t read = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), read);
    if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || read < 1 || read > most)
        return std::nullopt;
    return read - 1;
}

std::optional<std::size_t> choice_named(const Question& question, std::string_view word) {
    const auto found =
        std::ranges::find_if(question.choices, [&](const Choice& choice) { return choice.label == word; });
    if (found != question.choices.end()) return static_cast<std::size_t>(found - question.choices.begin());
    return number(word, question.choices.size());
}

std::optional<std::set<std::size_t>> choices_named(const Question& question, std::string_view text) {
    std::set<std::size_t> named;
    while (true) {
        const auto comma = question.multiple ? text.find(',') : std::string_view::npos;
        const auto choice = choice_named(question, trimmed(text.substr(0, comma)));
        if (!choice) return std::nullopt;
        named.insert(*choice);
        if (comma == std::string_view::npos) return named;
        text.remove_prefix(comma + 1);
    }
}

}  // namespace

bool gathers(const Questionnaire& questionnaire) {
    const auto& questions = questionnaire.questions;
    return questions.size() > 1 || (questions.size() == 1 && questions.front().multiple);
}

Result<Written> read_answer(const Questionnaire& questionnaire, std::string_view typed) {
    const auto& questions = questionnaire.questions;
    auto text = trimmed(typed);
    Written written;
    if (questions.size() > 1) {
        const auto word = text.substr(0, text.find_first_of(" \t\r\n"));
        const auto which = number(word, questions.size());
        if (!which) return Error{Errc::conflict, "there are several questions, and none was named"};
        written.question = *which;
        text = trimmed(text.substr(word.size()));
    }
    if (text.empty()) return Error{Errc::malformed, "the answer is empty"};
    if (text.size() > limits::answer_text_bytes_max) return Error{Errc::too_large, "the answer is too long"};
    const auto& question = questions[written.question];
    if (auto choices = choices_named(question, text)) {
        written.choices = std::move(*choices);
    } else if (question.free_text || question.choices.empty()) {
        written.text = std::string{text};
    } else {
        return Error{Errc::unknown_option, "it takes one of its choices"};
    }
    return written;
}

void Draft::pick(const Questionnaire& questionnaire, std::size_t question, std::size_t choice) {
    auto& chosen = chosen_[question];
    if (chosen.erase(choice) > 0) return;
    if (!questionnaire.questions[question].multiple) chosen.clear();
    chosen.insert(choice);
    texts_[question].clear();
}

void Draft::write(const Written& written) {
    chosen_[written.question] = written.choices;
    texts_[written.question] = written.text;
}

std::optional<std::size_t> Draft::missing(const Questionnaire& questionnaire) const {
    for (std::size_t at = 0; at < questionnaire.questions.size(); ++at) {
        const bool given = !chosen_[at].empty() || !texts_[at].empty();
        if (!given && questionnaire.questions[at].required) return at;
    }
    return std::nullopt;
}

std::vector<Answer> Draft::answers(const Questionnaire& questionnaire) const {
    std::vector<Answer> answers;
    for (std::size_t at = 0; at < questionnaire.questions.size(); ++at) {
        const auto& question = questionnaire.questions[at];
        if (chosen_[at].empty() && texts_[at].empty()) continue;
        Answer answer{.question_id = question.question_id, .choices = {}, .text = texts_[at]};
        for (const auto choice : chosen_[at]) answer.choices.push_back(question.choices[choice].label);
        answers.push_back(std::move(answer));
    }
    return answers;
}

}  // namespace countersign
