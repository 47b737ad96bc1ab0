// SPDX-License-Identifier: Apache-2.0
#include "core/json/plain.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace countersign::json {

std::size_t plain_length(std::string_view text) {
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t tops = 0x8080808080808080;
    const auto zeros_in = [](std::uint64_t word) { return (word - ones) & ~word & tops; };
    // In each of these only the lowest set bit is reliable, and only that one is used.
    const auto special_in = [&](std::uint64_t word) {
        const auto control = (word - ones * 0x20) & ~word & tops;
        return zeros_in(word ^ ones * '"') | zeros_in(word ^ ones * '\\') | control | (word & tops);
    };
    std::size_t at = 0;
    if constexpr (std::endian::native == std::endian::little) {
        for (; at + 8 <= text.size(); at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, text.data() + at, 8);
            const auto special = special_in(word);
            if (special != 0) return at + static_cast<std::size_t>(std::countr_zero(special)) / 8;
        }
        // Checks the end of a longer text together with the bytes before it, which are read again.
        if (at > 0 && at < text.size()) {
            std::uint64_t word = 0;
            std::memcpy(&word, text.data() + text.size() - 8, 8);
            if (special_in(word) == 0) return text.size();
        }
    }
    const auto plain = [](unsigned char c) { return c >= 0x20 && c < 0x80 && c != '"' && c != '\\'; };
    while (at < text.size() && plain(static_cast<unsigned char>(text[at]))) ++at;
    return at;
}

}  // namespace countersign::json
