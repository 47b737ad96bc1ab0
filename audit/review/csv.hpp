// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace countersign::audit::review {

// One cell for RFC 4180, passed through the display sanitiser: an agent's text must neither deceive who reads the table
// nor be run by the program that opens it. A cell that begins as a formula does (= + - @, also in their full-width and
// small forms, behind blanks or quotes, or a TAB or line break) gets an apostrophe, and so does what follows a comma or
// semicolon in it: a program that expects the other separator splits there.
[[nodiscard]] std::string csv_cell(std::string_view text);

// A line with its CRLF.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& cells);

}  // namespace countersign::audit::review
