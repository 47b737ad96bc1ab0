// SPDX-License-Identifier: Apache-2.0
// How many columns a text takes, and where to break it. Breaking never loses a byte: a person must see the whole text.
//
// A small table in place of wcwidth(), which depends on the locale of the process. It never says less than a terminal
// takes: a row that the terminal breaks itself would continue without its prefix, as if it were ours (I15). Where it
// says more, a row ends early.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::terminal {

[[nodiscard]] std::size_t width_of(char32_t character);
[[nodiscard]] std::size_t width_of(std::string_view text);

// One line in pieces of at most `columns`; the pieces joined are the line. It breaks behind a blank where there is one,
// and a combining mark stays with its letter. An empty line is one empty piece.
[[nodiscard]] std::vector<std::string_view> wrap(std::string_view line, std::size_t columns);

// The text where it fits, else its head and "…". Only for what is shown in full elsewhere.
[[nodiscard]] std::string fit(std::string_view text, std::size_t columns);
// The same from the other end: the tail is what a person who types wants to see.
[[nodiscard]] std::string fit_tail(std::string_view text, std::size_t columns);

}  // namespace countersign::channels::terminal
