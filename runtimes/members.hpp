// SPDX-License-Identifier: Apache-2.0
// Members of what an agent sent, by name.
#pragma once

#include "core/json/value.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace countersign::runtimes {

// The text of a member; empty where it is absent or no string.
[[nodiscard]] std::string text_member(const json::Object& object, std::string_view name);
// True only where the member is there and true.
[[nodiscard]] bool flag_member(const json::Object& object, std::string_view name);
// Null where it is absent or of another kind.
[[nodiscard]] const json::Object* object_member(const json::Object& object, std::string_view name);
[[nodiscard]] const json::Array* array_member(const json::Object& object, std::string_view name);

// The very bytes that a value was read from.
[[nodiscard]] std::string_view bytes_of(std::string_view text, const json::Value& value);

// A member that stands twice in one object, by its full name; not looked for below `except`.
[[nodiscard]] std::optional<std::string> given_twice(const json::Value& value, std::string_view except);

}  // namespace countersign::runtimes
