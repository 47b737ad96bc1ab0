// SPDX-License-Identifier: Apache-2.0
// UTF-8 as RFC 3629 has it: no overlong form, no surrogate, nothing above U+10FFFF.
//
// Code points only. What a person sees as one character, and what deceives them, is the display sanitiser's business.
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

// The code point that the text begins with; none when the text is empty or begins with invalid UTF-8.
[[nodiscard]] std::optional<CodePoint> decode(std::string_view text);

// How many bytes at the beginning are ASCII: most of what is ever read, and found eight at a time.
[[nodiscard]] std::size_t ascii_length(std::string_view text);

// Precondition: a Unicode scalar value. A surrogate is appended as U+FFFD.
void append(std::string& text, char32_t code_point);

[[nodiscard]] bool valid(std::string_view text);

// The text with U+FFFD in the place of every byte that belongs to no code point. Valid text comes back unchanged.
[[nodiscard]] std::string repaired(std::string_view text);

// At most so many bytes from the beginning, cut on the boundary of a code point. Precondition: valid text.
[[nodiscard]] std::string_view head(std::string_view text, std::size_t bytes_max);

}  // namespace countersign::utf8
