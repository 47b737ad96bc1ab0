// SPDX-License-Identifier: Apache-2.0
// Where a command prints: a person's terminal, or a pipe that a program reads.
#pragma once

#include "channels/terminal/style.hpp"
#include "core/counted.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::app {

struct Screen {
    channels::terminal::Style style;  // plain where standard output is no terminal
    bool utf8 = true;
    [[nodiscard]] bool terminal() const { return !style.plain; }
};
[[nodiscard]] Screen screen();
// The same of any descriptor.
[[nodiscard]] channels::terminal::Style style_of(int descriptor);
// 80 where it cannot be had.
[[nodiscard]] std::size_t terminal_columns(int descriptor);
[[nodiscard]] bool utf8_locale();

// To standard output; false when nobody reads any more.
[[nodiscard]] bool print_out(std::string_view text);

// A text that is already fit to be shown, in so many columns: cut with "…", or filled up. Nothing is cut on a pipe.
enum class Align { left, right };
[[nodiscard]] std::string cell(std::string_view text, std::size_t columns, Align align = Align::left);

// A line that is already fit to be shown, behind its lead; what does not fit the width goes on below it, at blanks.
[[nodiscard]] std::string hanging(const Screen& screen, const std::string& lead, std::string_view text);

// Columns as wide as what is in them; the last one takes what is left of the line. The first row has the titles.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows, const Screen& screen);

// "850 ms", "1.2 s", "3 min", "2 h", "5 d": at most seven columns. "-" for what is not known.
[[nodiscard]] std::string short_span(std::int64_t milliseconds);

// A bar of that share of the columns, at least a trace where there is anything; ASCII where the terminal has no more.
[[nodiscard]] std::string bar(std::uint64_t value, std::uint64_t largest, std::size_t columns, bool utf8);

}  // namespace countersign::app
