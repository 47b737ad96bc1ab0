// SPDX-License-Identifier: Apache-2.0
#include "runtimes/event/questions.hpp"

#include "core/limits.hpp"

#include <algorithm>

namespace countersign::runtimes::event {

namespace {

void read_choices(Fields& fields, Question& question, RawQuestion& raw) {
    if (!fields.has("choices")) return;
    const auto* array = fields.array("choices", 0, limits::choices_max);
    for (std::size_t i = 0; array != nullptr && i < array->size() && !fields.failed(); ++i) {
        auto choice = fields.element("choices", *array, i);
        const auto label = choice.exact_text("label", limits::choice_label_bytes_max);
        auto shown = choice.shown_line("label", label, limits::choice_label_bytes_max);
        if (std::ranges::find(question.choices, shown, &Choice::label) != question.choices.end()) {
            choice.fail("label", "is the same as an earlier one");
        }
        const auto text = choice.optional_text("description", limits::question_text_bytes_max);
        auto description = choice.shown_block("description", text, limits::question_text_bytes_max);
        raw.choices.push_back({shown, label});
        question.choices.push_back({std::move(shown), std::move(description)});
    }
}

}  // namespace

ReadQuestions read_questions(Fields& event) {
    ReadQuestions read;
    const auto* array = event.array("questions", 1, limits::questions_max);
    for (std::size_t i = 0; array != nullptr && i < array->size() && !event.failed(); ++i) {
        auto fields = event.element("questions", *array, i);
        Question question;
        RawQuestion raw;
        question.question_id =
            fields.shown_as_is("questionId", fields.exact_text("questionId", limits::question_id_bytes_max));
        if (std::ranges::find(read.raw, question.question_id, &RawQuestion::question_id) != read.raw.end()) {
            fields.fail("questionId", "is the same as an earlier one");
        }
        const auto text = fields.text("text", limits::question_text_bytes_max);
        question.text = fields.shown_block("text", text, limits::question_text_bytes_max);
        read_choices(fields, question, raw);
        question.multiple = fields.flag("multiple", false);
        question.free_text = fields.flag("freeText", false);
        question.secret = fields.flag("secret", false);
        question.required = fields.flag("required", true);
        if (question.choices.empty() && !question.free_text) fields.fail("choices", "at least one, or freeText");
        raw.question_id = question.question_id;
        raw.multiple = question.multiple;
        raw.free_text = question.free_text;
        read.raw.push_back(std::move(raw));
        read.shown.questions.push_back(std::move(question));
    }
    return read;
}

}  // namespace countersign::runtimes::event
