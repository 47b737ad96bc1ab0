// SPDX-License-Identifier: Apache-2.0
#include "runtimes/event/fields.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "runtimes/subject_display.hpp"

#include <algorithm>
#include <charconv>

namespace countersign::runtimes::event {

namespace {

std::string count(std::size_t number, std::string_view what, std::size_t max) {
    return std::to_string(number) + " " + std::string{what} + ", at most " + std::to_string(max);
}

constexpr std::string_view not_showable = "holds characters that cannot be shown";

}  // namespace

const json::Value* Fields::find(std::string_view name) const {
    return object_ == nullptr || failed() ? nullptr : object_->find(name);
}

void Fields::fail(std::string_view name, std::string_view what, Errc code) {
    if (failed()) return;
    reading_->fault = Error{code, path_ + std::string{name} + ": " + std::string{what}};
}

std::string_view Fields::raw(const json::Value& value) const { return bytes_of(reading_->line, value); }

const json::Value* Fields::required(std::string_view name) {
    const auto* value = find(name);
    if (value == nullptr) fail(name, "is missing");
    return value;
}

std::string Fields::bounded(std::string_view name, const json::Value& value, std::size_t bytes_min,
                            std::size_t bytes_max) {
    const auto* text = value.string();
    if (text == nullptr) {
        fail(name, "must be a string");
    } else if (text->size() < bytes_min) {
        fail(name, "must not be empty");
    } else if (text->size() > bytes_max) {
        fail(name, count(text->size(), "bytes", bytes_max), Errc::too_large);
    }
    return failed() ? std::string{} : *text;
}

std::string Fields::text(std::string_view name, std::size_t bytes_max, std::size_t bytes_min) {
    const auto* value = required(name);
    return value == nullptr ? std::string{} : bounded(name, *value, bytes_min, bytes_max);
}

std::string Fields::exact_text(std::string_view name, std::size_t bytes_max) {
    auto given = text(name, bytes_max);
    if (failed()) return {};
    const auto read = json::read(raw(*find(name)));
    if (!read || !read->exact()) fail(name, "is not valid Unicode");
    return given;
}

std::string Fields::optional_text(std::string_view name, std::size_t bytes_max) {
    const auto* value = find(name);
    return value == nullptr ? std::string{} : bounded(name, *value, 0, bytes_max);
}

std::vector<std::string> Fields::texts(std::string_view name, std::size_t count_max, std::size_t bytes_max) {
    std::vector<std::string> out;
    const auto* elements = array(name, 0, count_max);
    if (elements == nullptr) return out;
    for (std::size_t i = 0; i < elements->size() && !failed(); ++i) {
        const auto indexed = std::string{name} + "[" + std::to_string(i) + "]";
        out.push_back(bounded(indexed, (*elements)[i], 0, bytes_max));
    }
    return out;
}

bool Fields::flag(std::string_view name, bool otherwise) {
    const auto* value = find(name);
    if (value == nullptr) return otherwise;
    if (value->boolean() == nullptr) fail(name, "must be true or false");
    return value->boolean() == nullptr ? otherwise : *value->boolean();
}

std::optional<std::uint64_t> Fields::positive_integer(std::string_view name, std::uint64_t max) {
    const auto* value = find(name);
    if (value == nullptr) return std::nullopt;
    // 1000, 1000.0 and 1e3 are the same number and print as the same digits.
    const auto digits = value->number() == nullptr ? Result<std::string>{Error{Errc::malformed, ""}}
                                                   : json::canonical_number(value->number()->lexeme);
    const bool whole = digits && digits->find_first_not_of("0123456789") == std::string::npos && *digits != "0";
    std::uint64_t number = 0;
    if (!whole) {
        fail(name, "must be a positive integer");
    } else if (std::from_chars(digits->data(), digits->data() + digits->size(), number).ec != std::errc{} ||
               number > max) {
        fail(name, *digits + ", at most " + std::to_string(max), Errc::too_large);
    }
    return number;
}

const json::Object* Fields::object(std::string_view name) {
    const auto* value = required(name);
    if (value != nullptr && value->object() == nullptr) fail(name, "must be an object");
    return failed() ? nullptr : value->object();
}

const json::Array* Fields::array(std::string_view name, std::size_t count_min, std::size_t count_max) {
    const auto* value = required(name);
    if (value == nullptr) return nullptr;
    const auto* elements = value->array();
    if (elements == nullptr) {
        fail(name, "must be an array");
    } else if (elements->size() < count_min) {
        fail(name, "at least " + std::to_string(count_min));
    } else if (elements->size() > count_max) {
        fail(name, count(elements->size(), "elements", count_max), Errc::too_large);
    }
    return failed() ? nullptr : elements;
}

Fields Fields::element(std::string_view name, const json::Array& array, std::size_t index) {
    const auto indexed = std::string{name} + "[" + std::to_string(index) + "]";
    const auto* inner = array[index].object();
    if (inner == nullptr) fail(indexed, "must be an object");
    return {*reading_, inner, path_ + indexed + "."};
}

Fields Fields::child(std::string_view name) { return {*reading_, object(name), path_ + std::string{name} + "."}; }

std::string Fields::shown_line(std::string_view name, const std::string& text, std::size_t bytes_max) {
    auto shown = runtimes::shown_line(text, redactor());
    if (shown.size() > bytes_max) fail(name, not_showable, Errc::too_large);
    return shown;
}

std::string Fields::shown_block(std::string_view name, const std::string& text, std::size_t bytes_max) {
    auto shown = runtimes::shown_block(text, redactor());
    if (shown.size() > bytes_max) fail(name, not_showable, Errc::too_large);
    return shown;
}

std::string Fields::shown_as_is(std::string_view name, const std::string& text) {
    if (runtimes::shown_line(text, redactor()) != text) fail(name, not_showable);
    return text;
}

}  // namespace countersign::runtimes::event
