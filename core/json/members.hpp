// SPDX-License-Identifier: Apache-2.0
// Reads the members of an object from outside by name, and treats a member of the wrong kind as absent. Use Fields if
// the error must be reported.
#pragma once

#include "core/json/value.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::json {

[[nodiscard]] std::string text_of(const Object& object, std::string_view name);  // empty if absent
[[nodiscard]] bool truth_of(const Object& object, std::string_view name);        // true only if present and true
// nullopt for a number with a fraction or an exponent, or one out of range.
[[nodiscard]] std::optional<std::int64_t> integer_of(const Object& object, std::string_view name);

// Null if absent.
[[nodiscard]] const Object* find_object(const Object& object, std::string_view name);
[[nodiscard]] const Array* find_array(const Object& object, std::string_view name);
// Empty if absent, so that calls can be nested along a path of members.
[[nodiscard]] const Object& object_in(const Object& object, std::string_view name);
[[nodiscard]] const Array& array_in(const Object& object, std::string_view name);

// The bytes of `text` that the value was read from.
[[nodiscard]] std::string_view bytes_of(std::string_view text, const Value& value);
// The full name of a member that appears twice in one object. Members below `except` aren't searched.
[[nodiscard]] std::optional<std::string> given_twice(const Value& value, std::string_view except);

}  // namespace countersign::json
