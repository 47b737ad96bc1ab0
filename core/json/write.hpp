// SPDX-License-Identifier: Apache-2.0
// Writes JSON in one form only, RFC 8785, so that equal values have equal bytes.
#pragma once

#include "core/json/value.hpp"
#include "core/result.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace countersign::json {

// The RFC 8785 bytes: members sorted by UTF-16 code units, numbers as ECMAScript prints them, shortest escapes. A
// number that isn't finite as a double prints as null (callers check Document::exact first). Of duplicate members the
// last is kept, as in ECMAScript.
[[nodiscard]] std::string canonical(const Value& value);

// A member whose value is already canonical JSON. Its name must be plain ASCII.
struct ReadyMember {
    std::string_view name;
    std::string_view json;
    std::size_t at = 0;  // set to the value's position in the text when it is written
};
// The object with these additional members, sorted together. If both have a name, the ready member is kept. Reuses the
// memory of `room`.
[[nodiscard]] std::string canonical(const Object& object, std::span<ReadyMember> more, std::string room = {});

// The ECMAScript form of a JSON number: the shortest digits that read back, with an exponent from 1e21 and below 1e-6.
// Fails with Errc::malformed for text that isn't a JSON number, and with Errc::unsupported if it isn't finite.
[[nodiscard]] Result<std::string> canonical_number(std::string_view lexeme);

}  // namespace countersign::json
