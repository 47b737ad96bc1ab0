// SPDX-License-Identifier: Apache-2.0
// UTF-8 as defined by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
//
// Only code points. What people see as one character, and what deceives them, is handled by the display sanitiser.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::utf8 {

inline constexpr char32_t replacement = 0xFFFD;

struct CodePoint {
    char32_t value;
    std::size_t length;  // in bytes, 1 to 4
};

// The first code point of the text; nullopt if the text is empty or starts with invalid UTF-8.
[[nodiscard]] std::optional<CodePoint> decode(std::string_view text);

// The number of ASCII bytes at the start. Most text is ASCII, so this checks eight bytes at a time.
[[nodiscard]] std::size_t ascii_length(std::string_view text);

// Precondition: a Unicode scalar value. A surrogate is appended as U+FFFD.
void append(std::string& text, char32_t code_point);

[[nodiscard]] bool valid(std::string_view text);

// The text with every byte that isn't part of a valid code point replaced by U+FFFD. Valid text is returned unchanged.
[[nodiscard]] std::string repaired(std::string_view text);

// The longest prefix of at most `bytes_max` bytes that doesn't split a code point. Precondition: valid text.
[[nodiscard]] std::string_view head(std::string_view text, std::size_t bytes_max);

}  // namespace countersign::utf8
