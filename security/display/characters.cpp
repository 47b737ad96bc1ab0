// SPDX-License-Identifier: Apache-2.0
#include "security/display/characters.hpp"

#include "core/utf8.hpp"
#include "security/display/ranges.hpp"

#include <array>
#include <cstdint>

namespace countersign::security {
namespace {

// Whole default-ignorable ranges, including unassigned parts: characters that a later Unicode version adds there will
// be invisible too.
constexpr std::array hidden_ranges = std::to_array<CodeRange>({
    {0x0000, 0x001F},                         // C0
    {0x007F, 0x00A0},                         // DEL, C1, no-break space
    {0x00AD, 0x00AD},                         // soft hyphen
    {0x034F, 0x034F},                         // combining grapheme joiner
    {0x0600, 0x0605},                         // Arabic number signs
    {0x061C, 0x061C},                         // Arabic letter mark
    {0x06DD, 0x06DD},                         // Arabic end of ayah
    {0x070F, 0x070F},                         // Syriac abbreviation mark
    {0x0890, 0x0891},                         // Arabic pound and piastre marks
    {0x08E2, 0x08E2},                         // Arabic disputed end of ayah
    {0x115F, 0x1160},                         // Hangul fillers
    {0x1680, 0x1680},                         // Ogham space
    {0x17B4, 0x17B5},                         // Khmer inherent vowels
    {0x180B, 0x180F},                         // Mongolian variation selectors and vowel separator
    {0x2000, 0x200F},                         // spaces, zero width, direction marks
    {0x2028, 0x202F},                         // line and paragraph separators, bidi controls, narrow no-break space
    {0x205F, 0x206F},                         // mathematical space, word joiner, invisible operators, bidi isolates
    {0x2800, 0x2800},                         // braille blank
    {0x3000, 0x3000},                         // ideographic space
    {0x3164, 0x3164},                         // Hangul filler
    {0xD800, 0xF8FF},                         // surrogates, private use
    {0xFDD0, 0xFDEF},                         // noncharacters
    {0xFE00, 0xFE0F},                         // variation selectors
    {0xFEFF, 0xFEFF},                         // byte order mark
    {0xFFA0, 0xFFA0},                         // halfwidth Hangul filler
    {0xFFF0, 0xFFFB},                         // specials: ignorable, interlinear annotation
    {0xFFFE, 0xFFFF},                         // noncharacters; `hidden` handles those of the other planes
    {0x110BD, 0x110BD},                       // Kaithi number signs
    {0x110CD, 0x110CD},  {0x13430, 0x13442},  // Egyptian hieroglyph controls and blanks
    {0x16FE4, 0x16FE4},                       // Khitan filler
    {0x1BCA0, 0x1BCA3},                       // shorthand format controls
    {0x1D159, 0x1D159},                       // musical null notehead
    {0x1D173, 0x1D17A},                       // musical format controls
    {0xE0000, 0xE0FFF},                       // tags, variation selectors, ignorable
    {0xF0000, 0x10FFFF},                      // private use planes
});

constexpr std::array odd_space_ranges = std::to_array<CodeRange>({
    {0x00A0, 0x00A0},
    {0x1680, 0x1680},
    {0x2000, 0x200A},
    {0x2028, 0x2029},
    {0x202F, 0x202F},
    {0x205F, 0x205F},
    {0x2800, 0x2800},
    {0x3000, 0x3000},
    {0x3164, 0x3164},
});

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
    const auto byte = static_cast<std::uint8_t>(text[at]);
    if (byte < 0x80) return {byte, 1, true};
    const auto point = utf8::decode(text.substr(at));
    return point ? Character{point->value, point->length, true} : Character{byte, 1, false};
}

bool hidden(char32_t code) {
    if (code < 0x7F) return code < 0x20;
    return (code & 0xFFFEU) == 0xFFFEU || in_ranges(hidden_ranges, code);
}

bool odd_space(char32_t code) { return code >= 0xA0 && in_ranges(odd_space_ranges, code); }

}  // namespace countersign::security
