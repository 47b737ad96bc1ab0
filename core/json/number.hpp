// SPDX-License-Identifier: Apache-2.0
// A JSON number between its lexeme and its canonical form.
//
// A canonical form is the shortest text that reads back as the same double. Whether something was lost on the way is
// decided on exact decimal values, never on doubles: two different numbers that are one double are the loss itself.
#pragma once

#include "core/json/read.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::json {

// How many bytes of the text are a JSON number, from its beginning; zero if it begins with none. "01" begins with "0".
[[nodiscard]] std::size_t number_length(std::string_view text);

// An integer that every double holds and that is written in the only way there is: nearly every number is one, and its
// own canonical form.
[[nodiscard]] bool is_plain_integer(std::string_view lexeme);

struct NumberForm {
    std::string canonical;     // as ECMAScript prints it; empty when the double is not finite
    std::optional<Loss> loss;  // set when the decimal value of the canonical form is not that of the lexeme
};

// Precondition: the lexeme is a JSON number. Takes linear time and fixed space beyond a copy of the digits, whatever
// the exponent says.
[[nodiscard]] NumberForm form_of(std::string_view lexeme);

}  // namespace countersign::json
