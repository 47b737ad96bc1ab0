// SPDX-License-Identifier: Apache-2.0
// Lenient base64: either alphabet, with or without padding. security/encoding.hpp has the strict one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::security {

inline constexpr std::uint8_t no_base64 = 0xFF;

// The six bits of each character in either alphabet.
inline constexpr std::array<std::uint8_t, 256> base64_bits = [] {
    std::array<std::uint8_t, 256> table{};
    table.fill(no_base64);
    std::uint8_t value = 0;
    for (char byte = 'A'; byte <= 'Z'; ++byte) table[static_cast<std::uint8_t>(byte)] = value++;
    for (char byte = 'a'; byte <= 'z'; ++byte) table[static_cast<std::uint8_t>(byte)] = value++;
    for (char byte = '0'; byte <= '9'; ++byte) table[static_cast<std::uint8_t>(byte)] = value++;
    table['+'] = table['-'] = 62;
    table['/'] = table['_'] = 63;
    return table;
}();

// Inline, because it is called for every byte of every text.
[[nodiscard]] inline bool base64_byte(char byte) { return base64_bits[static_cast<std::uint8_t>(byte)] != no_base64; }

// True if the byte at `at` is the letter of an escape: the n of \n is a line end in a JSON string and not part of a
// run.
[[nodiscard]] inline bool escape_letter(std::string_view text, std::size_t at) {
    return at > 0 && text[at - 1] == '\\' && (text[at] == 'n' || text[at] == 'r' || text[at] == 't');
}

// nullopt if a byte is in neither alphabet or one character is left over.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

}  // namespace countersign::security
