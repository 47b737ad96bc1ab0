// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace countersign::audit::review {

// One RFC 4180 cell, passed through the display sanitiser: an agent's text must neither deceive the reader of the table
// nor be run as a formula by the program that opens it. A cell that begins like a formula gets an apostrophe in front.
// A formula begins with = + - @, their full-width and small forms, a TAB or a line break, also after spaces or quotes.
// So does the text after each comma or semicolon in the cell: a program that expects the other separator splits there.
[[nodiscard]] std::string csv_cell(std::string_view text);

// One line with its CRLF.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& cells);

}  // namespace countersign::audit::review
