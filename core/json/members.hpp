// SPDX-License-Identifier: Apache-2.0
// Members of an object that others sent, by name, for a reader that treats a member of the wrong kind as absent. A
// reader that must tell what is wrong uses Fields.
#pragma once

#include "core/json/value.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::json {

[[nodiscard]] std::string text_of(const Object& object, std::string_view name);  // empty where it is absent
[[nodiscard]] bool truth_of(const Object& object, std::string_view name);        // true only where it is there and true
// Nothing for a number with a fraction or an exponent, or one that does not fit.
[[nodiscard]] std::optional<std::int64_t> integer_of(const Object& object, std::string_view name);

// Null where it is absent.
[[nodiscard]] const Object* find_object(const Object& object, std::string_view name);
[[nodiscard]] const Array* find_array(const Object& object, std::string_view name);
// Empty where it is absent, so that a path of members reads as one.
[[nodiscard]] const Object& object_in(const Object& object, std::string_view name);
[[nodiscard]] const Array& array_in(const Object& object, std::string_view name);

// The very bytes of `text` that a value was read from.
[[nodiscard]] std::string_view bytes_of(std::string_view text, const Value& value);
// A member that stands twice in one object, by its full name; not looked for below `except`.
[[nodiscard]] std::optional<std::string> given_twice(const Value& value, std::string_view except);

}  // namespace countersign::json
