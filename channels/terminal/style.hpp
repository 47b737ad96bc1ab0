// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace countersign::channels::terminal {

enum class Ink { plain, faint, good, warn, bad, strong, inverse };

struct Style {
    bool plain = false;  // no escape sequences, no drawn lines: for pipes and screen readers
    bool colour = true;  // false under NO_COLOR; bold, faint and inverse stay
    std::size_t columns = 80;
    // Only in plain: the reader is a terminal, which would break a long line itself. Rows are then broken here, so that
    // each of them keeps what it begins with.
    bool breaks = false;
};

// No row is ever that wide.
inline constexpr std::size_t unlimited_columns = static_cast<std::size_t>(-1) / 2;

// Whether a row is a line of a pipe, however long.
[[nodiscard]] constexpr bool unbroken(const Style& style) { return style.plain && !style.breaks; }

// How wide a row may be. One column stays free: a full row makes some terminals begin the next one.
[[nodiscard]] constexpr std::size_t row_columns(const Style& style) {
    if (unbroken(style)) return unlimited_columns;
    return (style.columns < 10 ? 10 : style.columns) - 1;
}

[[nodiscard]] std::string paint(const Style& style, Ink ink, std::string_view text);

}  // namespace countersign::channels::terminal
