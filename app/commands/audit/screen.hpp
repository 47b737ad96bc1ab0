// SPDX-License-Identifier: Apache-2.0
// Where a command prints: an operator's terminal, or a pipe to another program.
#pragma once

#include "channels/terminal/style.hpp"
#include "core/counted.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::app {

struct Screen {
    channels::terminal::Style style;  // plain unless standard output is a terminal
    bool utf8 = true;
    [[nodiscard]] bool terminal() const { return !style.plain; }
};
[[nodiscard]] Screen screen();
// The style for any descriptor.
[[nodiscard]] channels::terminal::Style style_of(int descriptor);
// 80 if it is unknown.
[[nodiscard]] std::size_t terminal_columns(int descriptor);
[[nodiscard]] bool utf8_locale();

// Prints to standard output; false if the reader has closed it.
[[nodiscard]] bool print_out(std::string_view text);

// Fits a sanitised text into this many columns: cut with "…", or padded. Never cut on a pipe.
enum class Align { left, right };
[[nodiscard]] std::string cell(std::string_view text, std::size_t columns, Align align = Align::left);

// A sanitised line after its lead; text that does not fit continues below itself, wrapped at spaces.
[[nodiscard]] std::string hanging(const Screen& screen, const std::string& lead, std::string_view text);

// Columns as wide as their content; the last one takes the rest of the line. The first row contains the titles.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows, const Screen& screen);

// "850 ms", "1.2 s", "3 min", "2 h", "5 d": at most seven columns. "-" if unknown.
[[nodiscard]] std::string short_span(std::int64_t milliseconds);

// A bar in proportion to `largest`, at least one mark for a non-zero value; ASCII if `utf8` is false.
[[nodiscard]] std::string bar(std::uint64_t value, std::uint64_t largest, std::size_t columns, bool utf8);

}  // namespace countersign::app
