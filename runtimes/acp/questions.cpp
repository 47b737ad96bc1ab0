// SPDX-License-Identifier: Apache-2.0
#include "runtimes/acp/questions.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "runtimes/acp/outgoing.hpp"
#include "runtimes/subject_display.hpp"

#include <algorithm>
#include <optional>

namespace countersign::runtimes::acp {

namespace {

constexpr std::string_view custom = "_custom";

Error wrong(const std::string& member, std::string_view what, Errc code = Errc::malformed) {
    return {code, member + ": " + std::string{what}};
}

struct Made {
    Question shown;
    RawQuestion raw;
};

// Reads one form. `member` is a field's place, for errors.
class Form {
public:
    Form(const json::Object& schema, std::string message, const security::Redactor& redactor)
        : schema_{schema}, message_{std::move(message)}, redactor_{redactor} {}

    Result<ReadQuestions> read() {
        for (const auto& property : object_in(schema_, "properties").members()) {
            if (is_custom_text(property.first)) continue;
            if (const auto added = add_field(property); !added) return added.error();
        }
        return std::move(read_);
    }

private:
    [[nodiscard]] bool is_required(const std::string& name) const {
        return std::ranges::any_of(array_in(schema_, "required"), [&](const json::Value& one) {
            return one.string() != nullptr && *one.string() == name;
        });
    }
    static const json::Array* values_of(const json::Object& field) {
        if (text_of(field, "type") == "array") {
            const auto& items = object_in(field, "items");
            const auto* values = find_array(items, "anyOf");
            return values == nullptr ? find_array(items, "enum") : values;
        }
        const auto* values = find_array(field, "oneOf");
        return values == nullptr ? find_array(field, "enum") : values;
    }
    // Whether this field only takes the free text of the choice before it.
    [[nodiscard]] bool is_custom_text(const std::string& name) const {
        if (!name.ends_with(custom) || is_required(name)) return false;
        const auto& properties = object_in(schema_, "properties");
        const auto& own = object_in(properties, name);
        const auto& choice = object_in(properties, name.substr(0, name.size() - custom.size()));
        return text_of(own, "type") == "string" && values_of(own) == nullptr && values_of(choice) != nullptr;
    }

    Result<void> add_choice(Made& made, const std::string& value, const std::string& label,
                            const std::string& description, const std::string& member) const {
        if (value.empty() || label.empty()) return wrong(member, "a choice without a label");
        if (made.shown.choices.size() == limits::choices_max) return wrong(member, "too many choices", Errc::too_large);
        Choice choice{.label = shown_line(label, redactor_), .description = shown_block(description, redactor_)};
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

    // A list of texts, or of {const, title, description}.
    Result<void> add_choices(Made& made, const json::Object& field, const json::Array& values,
                             const std::string& member) const {
        const auto& names = array_in(field, "enumNames");
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto* titled = values[i].object();
            std::string value;
            if (titled != nullptr) value = text_of(*titled, "const");
            if (values[i].string() != nullptr) value = *values[i].string();
            auto label = titled == nullptr ? value : text_of(*titled, "title");
            if (i < names.size() && names[i].string() != nullptr) label = *names[i].string();
            if (label.empty()) label = value;
            const auto description = titled == nullptr ? std::string{} : text_of(*titled, "description");
            if (const auto added = add_choice(made, value, label, description, member); !added) return added.error();
        }
        return {};
    }

    Result<void> read_type(Made& made, const json::Object& field, const std::string& member) const {
        using Type = RawQuestion::Type;
        const auto type = text_of(field, "type");
        const auto* values = values_of(field);
        const bool chosen = values != nullptr && !values->empty() && (type == "array" || type == "string");
        if (chosen) {
            made.raw.multiple = type == "array";
            const auto free_name = made.raw.name + std::string{custom};
            made.raw.free_text = is_custom_text(free_name);
            if (made.raw.free_text) made.raw.free_name = free_name;
            return add_choices(made, field, *values, member);
        }
        if (type == "boolean") {
            made.raw.type = Type::boolean;
            made.raw.choices = {{"Yes", "true"}, {"No", "false"}};
            made.shown.choices = {{.label = "Yes", .description = {}}, {.label = "No", .description = {}}};
            return {};
        }
        if (type != "string" && type != "number" && type != "integer")
            return wrong(member, "is of a type that cannot be asked");
        if (type == "number") made.raw.type = Type::number;
        if (type == "integer") made.raw.type = Type::integer;
        made.raw.free_text = true;
        made.shown.secret = text_of(field, "format") == "password";
        return {};
    }

    [[nodiscard]] std::string words_of(const Made& made, const json::Object& field) const {
        const auto title = text_of(field, "title");
        auto text = title.empty() ? made.raw.name : title;
        if (const auto description = text_of(field, "description"); !description.empty()) text += ": " + description;
        if (made.raw.type == RawQuestion::Type::number) text += " (a number)";
        if (made.raw.type == RawQuestion::Type::integer) text += " (a whole number)";
        return read_.raw.empty() && !message_.empty() ? message_ + "\n" + text : text;
    }

    Result<void> add_field(const json::Object::Member& property) {
        const auto member = "properties[" + std::to_string(read_.raw.size()) + "]";
        const auto* field = property.second.object();
        if (field == nullptr) return wrong(member, "must be an object");
        if (property.first.empty()) return wrong(member, "has no name");
        if (read_.raw.size() == limits::questions_max) return wrong(member, "too many questions", Errc::too_large);
        Made made;
        made.raw.name = property.first;
        if (const auto typed = read_type(made, *field, member); !typed) return typed.error();
        made.raw.question_id = "q" + std::to_string(read_.raw.size());
        made.shown.question_id = made.raw.question_id;
        made.shown.multiple = made.raw.multiple;
        made.shown.free_text = made.raw.free_text;
        made.shown.required = is_required(property.first);
        made.shown.text = shown_block(words_of(made, *field), redactor_);
        if (made.shown.text.size() > limits::question_text_bytes_max)
            return wrong(member, "is too long", Errc::too_large);
        read_.raw.push_back(std::move(made.raw));
        read_.shown.questions.push_back(std::move(made.shown));
        return {};
    }

    const json::Object& schema_;
    std::string message_;
    const security::Redactor& redactor_;
    ReadQuestions read_;
};

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

// The choices by the agent's own values.
Result<std::vector<std::string>> chosen_in(const RawQuestion& question, const Answer& answer) {
    if (answer.choices.size() > 1 && !question.multiple) return Error{Errc::conflict, "the question takes one choice"};
    std::vector<std::string> values;
    for (const auto& shown : answer.choices) {
        const auto choice = std::ranges::find(question.choices, shown, &RawChoice::shown);
        if (choice == question.choices.end()) return Error{Errc::unknown_option, "the question has no such choice"};
        values.push_back(choice->label);
    }
    return values;
}

Result<void> add_answer(json::Object& content, const RawQuestion& question, const Answer& answer) {
    if (!answer.text.empty() && !question.free_text) return Error{Errc::conflict, "the question takes no free text"};
    const auto chosen = chosen_in(question, answer);
    if (!chosen) return chosen.error();
    if (question.multiple && !chosen->empty()) {
        json::Array list;
        for (const auto& value : *chosen) list.emplace_back(value);
        content.add(question.name, json::Value{std::move(list)});
    } else if (!chosen->empty()) {
        auto value = typed_value(question, chosen->front());
        if (!value) return value.error();
        content.add(question.name, std::move(*value));
    }
    if (answer.text.empty()) return {};
    if (question.free_name.empty() && !chosen->empty()) return Error{Errc::conflict, "a choice and a text"};
    auto value = typed_value(question, answer.text);
    if (!value) return value.error();
    content.add(question.free_name.empty() ? question.name : question.free_name, std::move(*value));
    return {};
}

}  // namespace

Result<ReadQuestions> read_questions(const Ask& ask, const security::Redactor& redactor) {
    const auto& params = *ask.value.object();
    return Form{object_in(params, "requestedSchema"), text_of(params, "message"), redactor}.read();
}

Result<std::string> answers_result(const RawCall& raw, const std::vector<Answer>& answers) {
    json::Object content;
    for (const auto& answer : answers) {
        const auto question = std::ranges::find(raw.questions, answer.question_id, &RawQuestion::question_id);
        if (question == raw.questions.end()) return Error{Errc::unknown_option, "no such question was asked"};
        if (const auto added = add_answer(content, *question, answer); !added) return added.error();
    }
    return accept_result(json::canonical(json::Value{std::move(content)}));
}

}  // namespace countersign::runtimes::acp
