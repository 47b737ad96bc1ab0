// SPDX-License-Identifier: Apache-2.0
#include "runtimes/codex/questions.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "runtimes/codex/outgoing.hpp"
#include "runtimes/subject_display.hpp"

#include <algorithm>
#include <optional>

namespace countersign::runtimes::codex {

namespace {

Error wrong(const std::string& member, std::string_view what, Errc code = Errc::malformed) {
    return {code, member + ": " + std::string{what}};
}

struct Made {
    Question shown;
    RawQuestion raw;
};

// `member` is the question's place, for errors.
Result<void> add_choice(Made& made, const std::string& value, const std::string& label, const std::string& description,
                        const std::string& member, const security::Redactor& redactor) {
    if (value.empty() || label.empty()) return wrong(member, "a choice without a label");
    if (made.shown.choices.size() == limits::choices_max) return wrong(member, "too many choices", Errc::too_large);
    Choice choice{.label = shown_line(label, redactor), .description = shown_block(description, redactor)};
    if (choice.label.size() > limits::choice_label_bytes_max ||
        choice.description.size() > limits::question_text_bytes_max) {
        return wrong(member, "a choice is too long", Errc::too_large);
    }
    if (std::ranges::find(made.shown.choices, choice.label, &Choice::label) != made.shown.choices.end())
        return wrong(member, "a choice is the same as an earlier one");
    made.raw.choices.push_back({choice.label, value});
    made.shown.choices.push_back(std::move(choice));
    return {};
}

Result<void> add(ReadQuestions& read, Made made, const std::string& text, const std::string& member,
                 const security::Redactor& redactor) {
    if (read.raw.size() == limits::questions_max) return wrong(member, "too many questions", Errc::too_large);
    if (made.raw.name.empty()) return wrong(member, "has no name");
    if (std::ranges::find(read.raw, made.raw.name, &RawQuestion::name) != read.raw.end())
        return wrong(member, "has the name of an earlier one");
    made.raw.question_id = "q" + std::to_string(read.raw.size());
    made.shown.question_id = made.raw.question_id;
    made.shown.multiple = made.raw.multiple;
    made.shown.free_text = made.raw.free_text;
    made.shown.text = shown_block(text, redactor);
    if (made.shown.text.empty()) return wrong(member, "has no text");
    if (made.shown.text.size() > limits::question_text_bytes_max) return wrong(member, "is too long", Errc::too_large);
    read.raw.push_back(std::move(made.raw));
    read.shown.questions.push_back(std::move(made.shown));
    return {};
}

Result<void> add_user_input(ReadQuestions& read, const json::Value& value, const security::Redactor& redactor) {
    const auto member = "questions[" + std::to_string(read.raw.size()) + "]";
    const auto* object = value.object();
    if (object == nullptr) return wrong(member, "must be an object");
    Made made;
    made.raw.name = text_of(*object, "id");
    made.shown.secret = truth_of(*object, "isSecret");
    const auto* options = find_array(*object, "options");
    for (std::size_t i = 0; options != nullptr && i < options->size(); ++i) {
        const auto* option = (*options)[i].object();
        if (option == nullptr) return wrong(member, "a choice must be an object");
        const auto label = text_of(*option, "label");
        const auto added = add_choice(made, label, label, text_of(*option, "description"), member, redactor);
        if (!added) return added.error();
    }
    made.raw.free_text = made.raw.choices.empty() || truth_of(*object, "isOther");
    const auto header = text_of(*object, "header");
    const auto text = text_of(*object, "question");
    if (text.empty()) return wrong(member + ".question", "is missing");
    return add(read, std::move(made), header.empty() ? text : header + ": " + text, member, redactor);
}

// A list of texts, or of {const, title}.
Result<void> add_values(Made& made, const json::Array& values, const json::Array* names, const std::string& member,
                        const security::Redactor& redactor) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto* titled = values[i].object();
        const auto value = titled != nullptr               ? text_of(*titled, "const")
                           : values[i].string() != nullptr ? *values[i].string()
                                                           : std::string{};
        auto label = titled != nullptr ? text_of(*titled, "title") : value;
        if (names != nullptr && i < names->size() && (*names)[i].string() != nullptr) label = *(*names)[i].string();
        if (label.empty()) label = value;
        if (const auto added = add_choice(made, value, label, {}, member, redactor); !added) return added.error();
    }
    return {};
}

Result<void> read_type(Made& made, const json::Object& schema, const std::string& member,
                       const security::Redactor& redactor) {
    const auto type = text_of(schema, "type");
    if (type == "array") {
        const auto* items = find_object(schema, "items");
        const auto* values = items == nullptr ? nullptr : find_array(*items, "anyOf");
        if (values == nullptr && items != nullptr) values = find_array(*items, "enum");
        if (values == nullptr || values->empty()) return wrong(member, "is of a type that cannot be asked");
        made.raw.multiple = true;
        return add_values(made, *values, nullptr, member, redactor);
    }
    if (type == "boolean") {
        made.raw.type = RawQuestion::Type::boolean;
        made.raw.choices = {{"Yes", "true"}, {"No", "false"}};
        made.shown.choices = {{.label = "Yes", .description = {}}, {.label = "No", .description = {}}};
        return {};
    }
    if (type != "string" && type != "number" && type != "integer")
        return wrong(member, "is of a type that cannot be asked");
    const auto* values = find_array(schema, "oneOf");
    if (values == nullptr) values = find_array(schema, "enum");
    if (values != nullptr && type == "string" && !values->empty())
        return add_values(made, *values, find_array(schema, "enumNames"), member, redactor);
    if (type == "number") made.raw.type = RawQuestion::Type::number;
    if (type == "integer") made.raw.type = RawQuestion::Type::integer;
    made.raw.free_text = true;
    made.shown.secret = text_of(schema, "format") == "password";
    return {};
}

Result<void> add_field(ReadQuestions& read, const json::Object& schema, const json::Object::Member& property,
                       const std::string& message, const security::Redactor& redactor) {
    const auto member = "properties[" + std::to_string(read.raw.size()) + "]";
    const auto* field = property.second.object();
    if (field == nullptr) return wrong(member, "must be an object");
    Made made;
    made.raw.name = property.first;
    if (const auto typed = read_type(made, *field, member, redactor); !typed) return typed.error();
    const auto* required = find_array(schema, "required");
    made.shown.required = required != nullptr && std::ranges::any_of(*required, [&](const json::Value& name) {
                              return name.string() != nullptr && *name.string() == property.first;
                          });
    const auto title = text_of(*field, "title");
    auto text = title.empty() ? property.first : title;
    if (const auto description = text_of(*field, "description"); !description.empty()) text += ": " + description;
    if (made.raw.type == RawQuestion::Type::number) text += " (a number)";
    if (made.raw.type == RawQuestion::Type::integer) text += " (a whole number)";
    return add(read, std::move(made), read.raw.empty() && !message.empty() ? message + "\n" + text : text, member,
               redactor);
}

Result<json::Value> typed_value(const RawQuestion& question, const std::string& text) {
    using Type = RawQuestion::Type;
    if (question.type == Type::text) return json::Value{text};
    if (question.type == Type::boolean) return json::Value{text == "true"};
    const auto read = json::read(text);
    const auto* number = read ? read->value.number() : nullptr;
    const bool whole = number != nullptr && number->lexeme.find_first_of(".eE") == std::string::npos;
    if (number == nullptr || (question.type == Type::integer && !whole))
        return Error{Errc::malformed, "the answer to \"" + question.question_id + "\" is not a number"};
    return json::Value{json::Number{number->lexeme}};
}

// The choices by Codex's own labels, then the free text.
Result<std::vector<std::string>> texts_of(const RawQuestion& question, const Answer& answer) {
    if (answer.choices.size() > 1 && !question.multiple) return Error{Errc::conflict, "the question takes one choice"};
    if (!answer.text.empty() && !question.free_text) return Error{Errc::conflict, "the question takes no free text"};
    std::vector<std::string> texts;
    for (const auto& shown : answer.choices) {
        const auto choice = std::ranges::find(question.choices, shown, &RawChoice::shown);
        if (choice == question.choices.end()) return Error{Errc::unknown_option, "the question has no such choice"};
        texts.push_back(choice->label);
    }
    if (!answer.text.empty()) texts.push_back(answer.text);
    return texts;
}

Result<json::Value> value_of(const RawCall& raw, const RawQuestion& question, std::vector<std::string> texts) {
    if (raw.kind == AskKind::elicitation && !question.multiple) return typed_value(question, texts.front());
    json::Array list;
    for (auto& text : texts) list.emplace_back(std::move(text));
    if (raw.kind == AskKind::elicitation) return json::Value{std::move(list)};
    return json::Value{json::Object{{"answers", std::move(list)}}};
}

}  // namespace

Result<ReadQuestions> read_questions(const Ask& ask, const security::Redactor& redactor) {
    const auto& params = *ask.value.object();
    ReadQuestions read;
    if (ask.kind == AskKind::question) {
        const auto* questions = find_array(params, "questions");
        if (questions == nullptr || questions->empty()) return wrong("questions", "at least one");
        for (const auto& value : *questions) {
            if (const auto added = add_user_input(read, value, redactor); !added) return added.error();
        }
        return read;
    }
    const auto* schema = find_object(params, "requestedSchema");
    const auto* properties = schema == nullptr ? nullptr : find_object(*schema, "properties");
    if (properties == nullptr) return wrong("requestedSchema", "has no properties");
    const auto server = text_of(params, "serverName");
    const auto message = text_of(params, "message");
    const auto words = server.empty() ? message : server + ": " + message;
    for (const auto& property : properties->members()) {
        if (const auto added = add_field(read, *schema, property, words, redactor); !added) return added.error();
    }
    return read;
}

Result<std::string> answers_result(const RawCall& raw, const std::vector<Answer>& answers) {
    json::Object given;
    for (const auto& answer : answers) {
        const auto question = std::ranges::find(raw.questions, answer.question_id, &RawQuestion::question_id);
        if (question == raw.questions.end()) return Error{Errc::unknown_option, "no such question was asked"};
        auto texts = texts_of(*question, answer);
        if (!texts) return texts.error();
        if (texts->empty()) continue;
        auto value = value_of(raw, *question, std::move(*texts));
        if (!value) return value.error();
        given.add(question->name, std::move(*value));
    }
    const auto content = json::canonical(json::Value{std::move(given)});
    if (raw.kind == AskKind::elicitation) return elicitation_result("accept", content, "null");
    return R"({"answers":)" + content + "}";
}

}  // namespace countersign::runtimes::codex
