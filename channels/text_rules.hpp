// SPDX-License-Identifier: Apache-2.0
// How a platform counts characters, and which it would leave out of what people see.
#pragma once

#include "channels/phrase.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace countersign::channels {

struct TextRules {
    // What one character counts; else UTF-16 code units, as most platforms count.
    std::size_t (*units_of_character)(char32_t) = nullptr;
    // Characters that it leaves out without a word. They are escaped, because what is shown must be what is asked (I7).
    bool (*drops)(char32_t) = nullptr;

    [[nodiscard]] std::size_t units(std::string_view text) const;
    [[nodiscard]] std::size_t units(const Phrase& phrase) const;
    // At most so many units from the beginning, cut between two characters.
    [[nodiscard]] std::string_view head(std::string_view text, std::size_t units_max) const;
    // Sanitised text as it is, but for what slipped through and what the platform drops.
    [[nodiscard]] std::string line(std::string_view sanitised) const;
    [[nodiscard]] std::string block(std::string_view sanitised) const;  // newlines stay
    // A piece as it goes out.
    [[nodiscard]] std::string shown(const Phrase::Piece& piece) const;
};

}  // namespace countersign::channels
