// SPDX-License-Identifier: Apache-2.0
#include "channels/text_rules.hpp"

#include "channels/guard.hpp"
#include "core/utf8.hpp"

namespace countersign::channels {

namespace {

struct Counted {
    std::size_t bytes = 1;
    std::size_t units = 1;
};
Counted first_character(std::string_view text, const TextRules& rules) {
    const auto next = utf8::decode(text);
    if (!next) return {};
    if (rules.units_of_character != nullptr) return {next->length, rules.units_of_character(next->value)};
    return {next->length, next->value > 0xFFFF ? 2U : 1U};
}

}  // namespace

std::size_t TextRules::units(std::string_view text) const {
    std::size_t units = 0;
    while (!text.empty()) {
        const auto next = first_character(text, *this);
        units += next.units;
        text.remove_prefix(next.bytes);
    }
    return units;
}

std::size_t TextRules::units(const Phrase& phrase) const {
    std::size_t all = 0;
    for (const auto& piece : phrase.pieces()) all += units(shown(piece));
    return all;
}

std::string_view TextRules::head(std::string_view text, std::size_t units_max) const {
    std::size_t bytes = 0;
    for (std::size_t units = 0; bytes < text.size();) {
        const auto next = first_character(text.substr(bytes), *this);
        units += next.units;
        if (units > units_max) break;
        bytes += next.bytes;
    }
    return text.substr(0, bytes);
}

std::string TextRules::line(std::string_view sanitised) const {
    return guarded(sanitised, security::DisplayMode::line, drops);
}

std::string TextRules::block(std::string_view sanitised) const {
    return guarded(sanitised, security::DisplayMode::block, drops);
}

std::string TextRules::shown(const Phrase::Piece& piece) const {
    const bool one_line = piece.style == TextStyle::code || piece.style == TextStyle::mention;
    return one_line ? line(piece.text) : block(piece.text);
}

}  // namespace countersign::channels
