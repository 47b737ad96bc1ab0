// SPDX-License-Identifier: Apache-2.0
// Which characters a reader cannot see, cannot tell from another, or would see do something.
#pragma once

#include <cstddef>
#include <string_view>

namespace countersign::security {

// One character of a text that may be anything: a byte that belongs to no character is one of its own, and says so.
struct Character {
    char32_t code = 0;      // the code point, or the byte itself when it is not valid
    std::size_t bytes = 1;  // how many it takes; one when it is not valid
    bool valid = false;
};

// Precondition: at < text.size().
[[nodiscard]] Character character_at(std::string_view text, std::size_t at);

// Controls, format characters (bidi, zero width, tags), line and paragraph separators, private use, noncharacters, all
// that Unicode calls default-ignorable, assigned or not, variation selectors, and what prints as nothing: fillers and
// blanks. Every space but U+0020 is among them. Newline and tab are too: a caller that wants them says so.
[[nodiscard]] bool hidden(char32_t code);

// A space that is not U+0020: it separates words for the eye and for nothing else.
[[nodiscard]] bool odd_space(char32_t code);

// A mark that prints on the character before it (Mn and Me).
[[nodiscard]] bool combining(char32_t code);

}  // namespace countersign::security
