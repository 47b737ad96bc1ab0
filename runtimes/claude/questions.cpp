// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/questions.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "runtimes/subject_display.hpp"

#include <algorithm>

namespace countersign::runtimes::claude {

namespace {

Error wrong(const std::string& member, std::string_view what, Errc code = Errc::malformed) {
    return {code, member + ": " + std::string{what}};
}

// A preview that does not fit is only mentioned: people can choose without it.
std::string description_of(const json::Object& option, const security::Redactor& redactor) {
    auto text = shown_block(text_of(option, "description"), redactor);
    const auto preview = shown_block(text_of(option, "preview"), redactor);
    if (preview.empty()) return text;
    if (text.size() + preview.size() < limits::question_text_bytes_max) {
        return text + (text.empty() ? "" : "\n") + preview;
    }
    return text + "\n(a preview of " + std::to_string(preview.size()) + " bytes is not shown)";
}

Result<void> add_choice(Question& question, RawQuestion& raw, const json::Value& value, const std::string& member,
                        const security::Redactor& redactor) {
    const auto* option = value.object();
    const auto label = option == nullptr ? std::string{} : text_of(*option, "label");
    if (label.empty()) return wrong(member + ".label", "is missing");
    Choice choice{.label = shown_line(label, redactor), .description = description_of(*option, redactor)};
    if (choice.label.size() > limits::choice_label_bytes_max) {
        return wrong(member + ".label", "is too long", Errc::too_large);
    }
    if (choice.description.size() > limits::question_text_bytes_max) {
        return wrong(member + ".description", "is too long", Errc::too_large);
    }
    if (std::ranges::find(question.choices, choice.label, &Choice::label) != question.choices.end()) {
        return wrong(member + ".label", "is the same as an earlier one");
    }
    raw.choices.push_back({choice.label, label});
    question.choices.push_back(std::move(choice));
    return {};
}

Result<void> add_question(ReadQuestions& read, const json::Value& value, const security::Redactor& redactor) {
    const auto number = read.raw.size();
    const auto member = "questions[" + std::to_string(number) + "]";
    const auto* object = value.object();
    if (object == nullptr) return wrong(member, "must be an object");
    RawQuestion raw{.question_id = "q" + std::to_string(number),
                    .text = text_of(*object, "question"),
                    .choices = {},
                    .multiple = truth_of(*object, "multiSelect")};
    if (raw.text.empty()) return wrong(member + ".question", "is missing");
    if (std::ranges::find(read.raw, raw.text, &RawQuestion::text) != read.raw.end()) {
        return wrong(member + ".question", "is the same as an earlier one");
    }
    // The CLI accepts free text for every question and shows it to its users as "Other".
    Question question{.question_id = raw.question_id, .text = {}, .choices = {}, .multiple = raw.multiple};
    question.free_text = true;
    const auto header = text_of(*object, "header");
    question.text = shown_block(header.empty() ? raw.text : header + ": " + raw.text, redactor);
    if (question.text.size() > limits::question_text_bytes_max) {
        return wrong(member + ".question", "is too long", Errc::too_large);
    }
    const auto* options = find_array(*object, "options");
    if (options != nullptr && options->size() > limits::choices_max) {
        return wrong(member + ".options", "are too many", Errc::too_large);
    }
    for (std::size_t i = 0; options != nullptr && i < options->size(); ++i) {
        const auto added =
            add_choice(question, raw, (*options)[i], member + ".options[" + std::to_string(i) + "]", redactor);
        if (!added) return added.error();
    }
    read.raw.push_back(std::move(raw));
    read.shown.questions.push_back(std::move(question));
    return {};
}

// "S, L", as the CLI itself joins several choices; free text comes last.
Result<std::string> answer_text(const RawQuestion& question, const Answer& answer) {
    if (answer.choices.size() > 1 && !question.multiple) return Error{Errc::conflict, "the question takes one choice"};
    std::string text;
    const auto append = [&text](const std::string& part) { text.append(text.empty() ? "" : ", ").append(part); };
    for (const auto& shown : answer.choices) {
        const auto choice = std::ranges::find(question.choices, shown, &RawChoice::shown);
        if (choice == question.choices.end()) return Error{Errc::unknown_option, "the question has no such choice"};
        append(choice->label);
    }
    if (!answer.text.empty()) append(answer.text);
    return text;
}

}  // namespace

Result<ReadQuestions> read_questions(const json::Value& input, const security::Redactor& redactor) {
    const auto* questions = find_array(*input.object(), "questions");
    if (questions == nullptr || questions->empty()) return wrong("questions", "at least one");
    if (questions->size() > limits::questions_max) return wrong("questions", "are too many", Errc::too_large);
    ReadQuestions read;
    for (const auto& value : *questions) {
        if (const auto added = add_question(read, value, redactor); !added) return added.error();
    }
    return read;
}

Result<std::string> answered_input(const RawCall& raw, const std::vector<Answer>& answers) {
    const auto read = json::read(raw.raw_input);
    if (!read || read->value.object() == nullptr) return Error{Errc::internal, "an input that was read before"};
    json::Object given;
    for (const auto& answer : answers) {
        const auto question = std::ranges::find(raw.questions, answer.question_id, &RawQuestion::question_id);
        if (question == raw.questions.end()) return Error{Errc::unknown_option, "no such question was asked"};
        auto text = answer_text(*question, answer);
        if (!text) return text.error();
        if (!text->empty()) given.add(question->text, std::move(*text));
    }
    std::string out = "{";
    for (const auto& [name, value] : read->value.object()->members()) {
        if (name == "answers") continue;
        out.append(json::canonical(name)).append(":").append(bytes_of(raw.raw_input, value)).append(",");
    }
    return out.append(R"("answers":)").append(json::canonical(given)).append("}");
}

}  // namespace countersign::runtimes::claude
