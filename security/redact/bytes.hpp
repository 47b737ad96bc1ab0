// SPDX-License-Identifier: Apache-2.0
// Fast sets of bytes and of three-letter sequences, because they are checked for every byte of every text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace countersign::security {

class ByteSet {
public:
    constexpr explicit ByteSet(std::string_view bytes) {
        for (const char byte : bytes) has_[static_cast<std::uint8_t>(byte)] = true;
    }
    // ASCII letters and digits, and `bytes`.
    [[nodiscard]] static constexpr ByteSet alnum_and(std::string_view bytes) {
        ByteSet set{bytes};
        for (std::size_t byte = 0; byte < 128; ++byte) {
            const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
            if (letter || (byte >= '0' && byte <= '9')) set.has_[byte] = true;
        }
        return set;
    }
    [[nodiscard]] constexpr bool has(char byte) const { return has_[static_cast<std::uint8_t>(byte)]; }

private:
    std::array<bool, 256> has_{};
};

// A fast negative test: whether a text may contain one of several three-letter sequences, ignoring case. Other bytes
// with the same low five bits are treated as the letter.
class LetterTriples {
public:
    template <std::size_t Count> constexpr explicit LetterTriples(const std::array<std::string_view, Count>& triples) {
        for (const auto triple : triples) {
            std::uint32_t last = 0;
            for (const char byte : triple) last = with(last, byte);
            bits_[last / 64] |= std::uint64_t{1} << (last % 64);
        }
    }

    [[nodiscard]] constexpr bool may_be_in(std::string_view text) const {
        if (text.size() < 3) return false;
        auto last = with(with(0, text[0]), text[1]);
        for (const char byte : text.substr(2)) {
            last = with(last, byte);
            if ((bits_[last / 64] >> (last % 64) & 1) != 0) return true;
        }
        return false;
    }

private:
    static constexpr std::uint32_t with(std::uint32_t last, char byte) {
        return ((last << 5U) | (static_cast<std::uint8_t>(byte) & 31U)) & 0x7FFFU;
    }
    std::array<std::uint64_t, 512> bits_{};
};

}  // namespace countersign::security
