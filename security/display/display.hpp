// SPDX-License-Identifier: Apache-2.0
// Makes text from an agent safe to read: apart from spaces, and newlines in a block, nothing in it is invisible, moves
// the cursor or reverses the direction of the line.
//
// A character that is `hidden` (characters.hpp) is shown as \u{HEX}, an invalid UTF-8 byte as \x{HH}, a tab as →. A
// newline stays a newline in a block and is shown as ⏎ in a line. Text in any script is kept. Of the combining marks on
// one letter, those past limits::combining_marks_max are shown as \u{HEX}, too.
//
// No information is lost: if the text itself contains → or ⏎, or a backslash that would look like one of our escapes,
// that character is escaped. So different texts never look equal because of this conversion, and undisplay restores the
// text. Look-alike letters aren't detected here, but in security/display/scripts.hpp.
#pragma once

#include <string>
#include <string_view>

namespace countersign::security {

enum class DisplayMode {
    block,  // keeps newlines, so that a command of several lines stays readable
    line,   // always one line: for terminal tables, titles, log lines
};

[[nodiscard]] std::string display(std::string_view text, DisplayMode mode = DisplayMode::block);

// undisplay(display(text, mode)) == text, for all bytes and both modes. Text that display can't have produced is
// returned unchanged.
[[nodiscard]] std::string undisplay(std::string_view shown);

}  // namespace countersign::security
