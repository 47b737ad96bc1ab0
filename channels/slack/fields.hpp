// SPDX-License-Identifier: Apache-2.0
// Members of what Slack sent, or nothing where they are missing or of another kind.
#pragma once

#include "core/json/value.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace countersign::channels::slack {

[[nodiscard]] inline std::string text_of(const json::Object& object, std::string_view name) {
    const auto* value = object.find(name);
    const auto* text = value == nullptr ? nullptr : value->string();
    return text == nullptr ? std::string{} : *text;
}

[[nodiscard]] inline bool truth_of(const json::Object& object, std::string_view name) {
    const auto* value = object.find(name);
    const auto* truth = value == nullptr ? nullptr : value->boolean();
    return truth != nullptr && *truth;
}

// An empty object where it is missing, so that a path of members reads as one.
[[nodiscard]] inline const json::Object& object_in(const json::Object& object, std::string_view name) {
    static const json::Object none;
    const auto* value = object.find(name);
    const auto* found = value == nullptr ? nullptr : value->object();
    return found == nullptr ? none : *found;
}

[[nodiscard]] inline const json::Array& array_in(const json::Object& object, std::string_view name) {
    static const json::Array none;
    const auto* value = object.find(name);
    const auto* found = value == nullptr ? nullptr : value->array();
    return found == nullptr ? none : *found;
}

}  // namespace countersign::channels::slack
