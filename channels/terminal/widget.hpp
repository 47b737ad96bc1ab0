// SPDX-License-Identifier: Apache-2.0
// The part of the screen that is drawn again in place, below the card: rows that never wrap, and never more of them
// than the screen has. A row that is cut here stands in full on the card; the others are only here.
#pragma once

#include "channels/terminal/style.hpp"
#include "channels/terminal/view.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace countersign::channels::terminal {

// `waiting` is how many other requests wait behind this one.
[[nodiscard]] std::vector<std::string> widget(const View& view, std::size_t waiting, std::size_t rows_max,
                                              const Style& style);

// Whether a row is not cut at this width.
[[nodiscard]] bool fits(const Row& row, Language language, const Style& style);

// Puts the widget in the place of one that has `rows_before` rows; the cursor stays at the end of its last row.
[[nodiscard]] std::string drawn(const std::vector<std::string>& rows, std::size_t rows_before);
// Takes it away; the cursor is where its first row began.
[[nodiscard]] std::string erased(std::size_t rows);

}  // namespace countersign::channels::terminal
