// SPDX-License-Identifier: Apache-2.0
// Writes JSON. One form only: RFC 8785, so that equal values are equal bytes.
#pragma once

#include "core/json/value.hpp"
#include "core/result.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace countersign::json {

// The RFC 8785 bytes: members sorted by UTF-16 code units, numbers as ECMAScript prints them, shortest escapes. A
// number that is not finite as a double prints as null (callers ask Document::exact first); of duplicate members the
// last one is kept, as ECMAScript does.
[[nodiscard]] std::string canonical(const Value& value);

// A member whose value is canonical JSON already. Its name is plain ASCII.
struct ReadyMember {
    std::string_view name;
    std::string_view json;
    std::size_t at = 0;  // where the value stands in the text, once that is written
};
// The object with these members besides its own, all in one order. Of a name that both have, the ready one counts.
// Written into the memory that `room` has, if it has any.
[[nodiscard]] std::string canonical(const Object& object, std::span<ReadyMember> more, std::string room = {});

// The ECMAScript form of a JSON number lexeme: shortest digits that read back, exponent from 1e21 and below 1e-6.
// Errc::malformed for what is no JSON number, Errc::unsupported for what is not finite.
[[nodiscard]] Result<std::string> canonical_number(std::string_view lexeme);

}  // namespace countersign::json
