// SPDX-License-Identifier: Apache-2.0
// Converts a JSON number from its lexeme to its canonical form.
//
// The canonical form is the shortest text that reads back as the same double. Whether information was lost is decided
// on exact decimal values, not on doubles: two different numbers with the same double are exactly that loss.
#pragma once

#include "core/json/read.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::json {

// The length in bytes of the JSON number at the start of the text; zero if there is none. For "01" it is the length of
// "0".
[[nodiscard]] std::size_t number_length(std::string_view text);

// An integer that a double represents exactly, written in the only possible way. Nearly every number is one, and it is
// its own canonical form.
[[nodiscard]] bool is_plain_integer(std::string_view lexeme);

struct NumberForm {
    std::string canonical;     // as ECMAScript prints it; empty if the double isn't finite
    std::optional<Loss> loss;  // set if the canonical form's decimal value differs from the lexeme's
};

// Precondition: the lexeme is a JSON number. Takes linear time and, apart from a copy of the digits, constant space for
// any exponent.
[[nodiscard]] NumberForm form_of(std::string_view lexeme);

}  // namespace countersign::json
