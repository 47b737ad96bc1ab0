// SPDX-License-Identifier: Apache-2.0
#include "runtimes/members.hpp"

#include <set>

namespace countersign::runtimes {

namespace {

std::optional<std::string> twice_below(const json::Value& value, const std::string& path, std::string_view except) {
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

std::string text_member(const json::Object& object, std::string_view name) {
    const auto* value = object.find(name);
    const auto* text = value == nullptr ? nullptr : value->string();
    return text == nullptr ? std::string{} : *text;
}

bool flag_member(const json::Object& object, std::string_view name) {
    const auto* value = object.find(name);
    const auto* truth = value == nullptr ? nullptr : value->boolean();
    return truth != nullptr && *truth;
}

const json::Object* object_member(const json::Object& object, std::string_view name) {
    const auto* value = object.find(name);
    return value == nullptr ? nullptr : value->object();
}

const json::Array* array_member(const json::Object& object, std::string_view name) {
    const auto* value = object.find(name);
    return value == nullptr ? nullptr : value->array();
}

std::string_view bytes_of(std::string_view text, const json::Value& value) {
    return text.substr(value.span().begin, value.span().end - value.span().begin);
}

std::optional<std::string> given_twice(const json::Value& value, std::string_view except) {
    return twice_below(value, "", except);
}

}  // namespace countersign::runtimes
