// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/views.hpp"

#include "channels/discord/bounds.hpp"
#include "core/limits.hpp"

#include <algorithm>

namespace countersign::channels::discord {

namespace {

constexpr int label_type = 18;
constexpr int text_input_type = 4;
constexpr int paragraph_style = 2;

constexpr std::string_view reason_field = "reason";
std::string answer_field(std::size_t question) { return "q" + std::to_string(question); }

struct Input {
    std::string id;
    std::string label;
    std::string description = {};
    std::size_t units_max = limits::discord_field_units_max;
    bool required = false;
};
Json field_of(const Input& input) {
    Json field{{"type", label_type},
               {"label", fitted(input.label, limits::discord_label_units_max)},
               {"component",
                {{"type", text_input_type},
                 {"custom_id", input.id},
                 {"style", paragraph_style},
                 {"required", input.required},
                 {"max_length", input.units_max}}}};
    if (!input.description.empty()) {
        field["description"] = fitted(input.description, limits::discord_label_description_units_max);
    }
    return field;
}

Json modal_of(std::string id, std::string_view title, Json fields) {
    return {{"custom_id", std::move(id)},
            {"title", fitted(title, limits::discord_modal_title_units_max)},
            {"components", std::move(fields)}};
}

std::string value_of(const Fields& fields, std::string_view id) {
    const auto found = std::ranges::find(fields, id, &Field::id);
    return found == fields.end() || found->values.empty() ? std::string{} : found->values.front();
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

// A reason in bytes may be shorter than the same in characters: it is cut, because a deny must never be harder than an
// allow.
Json reason_modal(std::string_view token, Language language) {
    auto fields = Json::array({field_of({.id = std::string{reason_field},
                                         .label = std::string{pattern(language, Key::reason_hint)},
                                         .units_max = limits::reason_bytes_max})});
    return modal_of(custom_id(Part::reason, token), pattern(language, Key::deny_and_say_why), std::move(fields));
}

std::vector<std::size_t> written_questions(const Questionnaire& questionnaire) {
    std::vector<std::size_t> written;
    for (std::size_t at = 0; at < questionnaire.questions.size(); ++at) {
        const auto& question = questionnaire.questions[at];
        if (question.free_text || question.choices.empty()) written.push_back(at);
    }
    return written;
}

std::size_t answer_pages(const Questionnaire& questionnaire) {
    return (written_questions(questionnaire).size() + limits::discord_modal_fields_max - 1) /
           limits::discord_modal_fields_max;
}

Json answers_modal(const Questionnaire& questionnaire, std::size_t page, std::string_view token, Language language) {
    const auto written = written_questions(questionnaire);
    const auto begin = page * limits::discord_modal_fields_max;
    const auto end = std::min(written.size(), begin + limits::discord_modal_fields_max);
    auto fields = Json::array();
    for (auto i = begin; i < end; ++i) {
        const auto at = written[i];
        const auto& question = questionnaire.questions[at];
        const auto label = questionnaire.questions.size() == 1
                               ? std::string{pattern(language, Key::own_answer)}
                               : text(language, Key::question_number, {{"number", std::to_string(at + 1)}});
        fields.push_back(field_of({.id = answer_field(at),
                                   .label = label,
                                   .description = text_rules.line(question.text),
                                   .required = question.required && question.choices.empty()}));
    }
    return modal_of(custom_id(Part::answers, token), pattern(language, Key::question), std::move(fields));
}

std::string typed_reason(const Fields& fields) { return value_of(fields, reason_field); }

std::vector<TypedAnswer> typed_answers(const Questionnaire& questionnaire, const Fields& fields) {
    std::vector<TypedAnswer> answers;
    for (std::size_t at = 0; at < questionnaire.questions.size(); ++at) {
        auto words = value_of(fields, answer_field(at));
        if (!is_blank(words)) answers.push_back({at, std::move(words)});
    }
    return answers;
}

}  // namespace countersign::channels::discord
