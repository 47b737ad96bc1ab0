// SPDX-License-Identifier: Apache-2.0
// Members of what the Bot API sent, or nothing where they are of another kind.
#pragma once

#include "core/json/value.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::channels::telegram {

[[nodiscard]] inline std::optional<std::int64_t> integer_of(const json::Object& object, std::string_view name) {
    const auto* value = object.find(name);
    const auto* number = value == nullptr ? nullptr : value->number();
    if (number == nullptr) return std::nullopt;
    std::int64_t read = 0;
    const auto* const end = number->lexeme.data() + number->lexeme.size();
    const auto parsed = std::from_chars(number->lexeme.data(), end, read);
    if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
    return read;
}

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

[[nodiscard]] inline const json::Object* object_of(const json::Object& object, std::string_view name) {
    const auto* value = object.find(name);
    return value == nullptr ? nullptr : value->object();
}

}  // namespace countersign::channels::telegram
