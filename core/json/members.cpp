// SPDX-License-Identifier: Apache-2.0
#include "core/json/members.hpp"

#include "core/decimal.hpp"

#include <set>

namespace countersign::json {

namespace {

std::optional<std::string> twice_below(const Value& value, const std::string& path, std::string_view except) {
    if (const auto* array = value.array()) {
        for (std::size_t i = 0; i < array->size(); ++i) {
            if (auto found = twice_below((*array)[i], path + "[" + std::to_string(i) + "]", except)) return found;
        }
    }
    const auto* object = value.object();
    if (object == nullptr) return std::nullopt;
    std::set<std::string_view> seen;
    for (const auto& [name, inner] : object->members()) {
        const auto full = path.empty() ? name : path + "." + name;
        if (!seen.insert(name).second) return full;
        if (full == except) continue;
        if (auto found = twice_below(inner, full, except)) return found;
    }
    return std::nullopt;
}

}  // namespace

std::string text_of(const Object& object, std::string_view name) {
    const auto* value = object.find(name);
    const auto* text = value == nullptr ? nullptr : value->string();
    return text == nullptr ? std::string{} : *text;
}

bool truth_of(const Object& object, std::string_view name) {
    const auto* value = object.find(name);
    const auto* truth = value == nullptr ? nullptr : value->boolean();
    return truth != nullptr && *truth;
}

std::optional<std::int64_t> integer_of(const Object& object, std::string_view name) {
    const auto* value = object.find(name);
    const auto* number = value == nullptr ? nullptr : value->number();
    return number == nullptr ? std::nullopt : parse_decimal<std::int64_t>(number->lexeme);
}

const Object* find_object(const Object& object, std::string_view name) {
    const auto* value = object.find(name);
    return value == nullptr ? nullptr : value->object();
}

const Array* find_array(const Object& object, std::string_view name) {
    const auto* value = object.find(name);
    return value == nullptr ? nullptr : value->array();
}

const Object& object_in(const Object& object, std::string_view name) {
    static const Object none;
    const auto* found = find_object(object, name);
    return found == nullptr ? none : *found;
}

const Array& array_in(const Object& object, std::string_view name) {
    static const Array none;
    const auto* found = find_array(object, name);
    return found == nullptr ? none : *found;
}

std::string_view bytes_of(std::string_view text, const Value& value) {
    return text.substr(value.span().begin, value.span().end - value.span().begin);
}

std::optional<std::string> given_twice(const Value& value, std::string_view except) {
    return twice_below(value, "", except);
}

}  // namespace countersign::json
