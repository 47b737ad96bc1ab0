// SPDX-License-Identifier: Apache-2.0
// What a person reads of text that an agent wrote: but for spaces, and new lines in a block, nothing in it is
// invisible, moves the cursor, or turns the line around.
//
// Every character of `hidden` appears as \u{HEX}, a byte that is no UTF-8 as \x{HH}. A tab is shown as →. A newline
// stays one in a block, and is shown as ⏎ in a line. Text in any script survives as it is; marks piled up on one letter
// do not. It loses nothing: where the text itself has → or ⏎, or a backslash that would read as one of our escapes,
// that character is escaped, so that different texts never look the same for a reason that lies here, and undisplay
// gives the text back. It does not tell look-alike letters apart: see security/display/scripts.hpp.
#pragma once

#include <string>
#include <string_view>

namespace countersign::security {

enum class DisplayMode {
    block,  // newlines are kept: a command of several lines stays legible
    line,   // one line whatever the text is: terminal tables, titles, log lines
};

[[nodiscard]] std::string display(std::string_view text, DisplayMode mode = DisplayMode::block);

// undisplay(display(text, mode)) == text, for all bytes and both modes. What display cannot have made is kept as it is.
[[nodiscard]] std::string undisplay(std::string_view shown);

}  // namespace countersign::security
