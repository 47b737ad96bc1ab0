// SPDX-License-Identifier: Apache-2.0
// Characters that readers can't see, can't tell from others, or that have a visible effect on the text.
#pragma once

#include <cstddef>
#include <string_view>

namespace countersign::security {

// One character of any text. A byte that isn't part of a valid character is returned alone, with valid = false.
struct Character {
    char32_t code = 0;      // the code point, or the byte itself if it isn't valid
    std::size_t bytes = 1;  // its length; one if it isn't valid
    bool valid = false;
};

// Precondition: at < text.size().
[[nodiscard]] Character character_at(std::string_view text, std::size_t at);

// Controls, format characters (bidi, zero width, tags), line and paragraph separators, private use, noncharacters, all
// default-ignorable code points, assigned or not, variation selectors, and characters that print as nothing: fillers
// and blanks. Includes every space but U+0020, and also newline and tab: a caller that wants to keep those must check
// for them first.
[[nodiscard]] bool hidden(char32_t code);

// A space other than U+0020: it looks like a word separator but doesn't separate words for programs.
[[nodiscard]] bool odd_space(char32_t code);

// A mark that is drawn on the character before it (Mn and Me).
[[nodiscard]] bool combining(char32_t code);

}  // namespace countersign::security
