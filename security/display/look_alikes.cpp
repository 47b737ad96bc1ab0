// SPDX-License-Identifier: Apache-2.0
#include "security/display/look_alikes.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace countersign::security {

namespace {

struct LookAlike {
    char32_t code;
    char ascii;
};

// Sorted by code point. By script: Latin outside ASCII, Greek, Cyrillic, Armenian, Cherokee, punctuation, numerals,
// Lisu.
constexpr auto table = std::to_array<LookAlike>({
    {0x0131, 'i'}, {0x0251, 'a'}, {0x0261, 'g'}, {0x0269, 'i'}, {0x028B, 'v'}, {0x028F, 'y'}, {0x037F, 'j'},
    {0x0391, 'a'}, {0x0392, 'b'}, {0x0395, 'e'}, {0x0396, 'z'}, {0x0397, 'h'}, {0x0399, 'i'}, {0x039A, 'k'},
    {0x039C, 'm'}, {0x039D, 'n'}, {0x039F, 'o'}, {0x03A1, 'p'}, {0x03A4, 't'}, {0x03A5, 'y'}, {0x03A7, 'x'},
    {0x03B1, 'a'}, {0x03B3, 'y'}, {0x03B5, 'e'}, {0x03B7, 'n'}, {0x03B9, 'i'}, {0x03BA, 'k'}, {0x03BD, 'v'},
    {0x03BF, 'o'}, {0x03C1, 'p'}, {0x03C4, 't'}, {0x03C5, 'u'}, {0x03C7, 'x'}, {0x03C9, 'w'}, {0x03F2, 'c'},
    {0x03F3, 'j'}, {0x03F9, 'c'}, {0x0405, 's'}, {0x0406, 'i'}, {0x0408, 'j'}, {0x0410, 'a'}, {0x0412, 'b'},
    {0x0415, 'e'}, {0x041A, 'k'}, {0x041C, 'm'}, {0x041D, 'h'}, {0x041E, 'o'}, {0x0420, 'p'}, {0x0421, 'c'},
    {0x0422, 't'}, {0x0423, 'y'}, {0x0425, 'x'}, {0x0430, 'a'}, {0x0435, 'e'}, {0x043E, 'o'}, {0x0440, 'p'},
    {0x0441, 'c'}, {0x0443, 'y'}, {0x0445, 'x'}, {0x044C, 'b'}, {0x0455, 's'}, {0x0456, 'i'}, {0x0458, 'j'},
    {0x0461, 'w'}, {0x0474, 'v'}, {0x0475, 'v'}, {0x04AE, 'y'}, {0x04AF, 'y'}, {0x04BB, 'h'}, {0x04BD, 'e'},
    {0x04C0, 'l'}, {0x04CF, 'l'}, {0x0500, 'd'}, {0x0501, 'd'}, {0x051A, 'q'}, {0x051B, 'q'}, {0x051C, 'w'},
    {0x051D, 'w'}, {0x053C, 'l'}, {0x054D, 's'}, {0x0555, 'o'}, {0x0566, 'q'}, {0x0570, 'h'}, {0x0575, 'j'},
    {0x0578, 'n'}, {0x057D, 'u'}, {0x0581, 'g'}, {0x0585, 'o'}, {0x13A0, 'd'}, {0x13A1, 'r'}, {0x13A2, 't'},
    {0x13AA, 'a'}, {0x13AB, 'j'}, {0x13AC, 'e'}, {0x13B3, 'w'}, {0x13B7, 'm'}, {0x13BB, 'h'}, {0x13C0, 'g'},
    {0x13C3, 'z'}, {0x13C7, 'm'}, {0x13CE, '4'}, {0x13CF, 'b'}, {0x13D0, 'h'}, {0x13D2, 'r'}, {0x13D4, 'w'},
    {0x13D5, 's'}, {0x13D9, 'v'}, {0x13DA, 's'}, {0x13DE, 'l'}, {0x13DF, 'c'}, {0x13E2, 'p'}, {0x13E6, 'k'},
    {0x13F4, 'b'}, {0x1D04, 'c'}, {0x1D0F, 'o'}, {0x1D20, 'v'}, {0x1D21, 'w'}, {0x1D22, 'z'}, {0x2010, '-'},
    {0x2011, '-'}, {0x2012, '-'}, {0x2013, '-'}, {0x2014, '-'}, {0x2024, '.'}, {0x2044, '/'}, {0x210A, 'g'},
    {0x210E, 'h'}, {0x2113, 'l'}, {0x212F, 'e'}, {0x2134, 'o'}, {0x2160, 'i'}, {0x2164, 'v'}, {0x2169, 'x'},
    {0x216C, 'l'}, {0x216D, 'c'}, {0x216E, 'd'}, {0x216F, 'm'}, {0x2170, 'i'}, {0x2174, 'v'}, {0x2179, 'x'},
    {0x217C, 'l'}, {0x217D, 'c'}, {0x217E, 'd'}, {0x217F, 'm'}, {0x2212, '-'}, {0x2215, '/'}, {0x2571, '/'},
    {0x29F8, '/'}, {0x2C71, 'v'}, {0x3002, '.'}, {0xA4D0, 'b'}, {0xA4D1, 'p'}, {0xA4D3, 'd'}, {0xA4D4, 't'},
    {0xA4D6, 'g'}, {0xA4D7, 'k'}, {0xA4D9, 'j'}, {0xA4DA, 'c'}, {0xA4DC, 'z'}, {0xA4DD, 'f'}, {0xA4DF, 'm'},
    {0xA4E0, 'n'}, {0xA4E1, 'l'}, {0xA4E2, 's'}, {0xA4E3, 'r'}, {0xA4E6, 'v'}, {0xA4E7, 'h'}, {0xA4EA, 'w'},
    {0xA4EB, 'x'}, {0xA4EC, 'y'}, {0xA4EE, 'a'}, {0xA4F0, 'e'}, {0xA4F2, 'i'}, {0xA4F3, 'o'}, {0xA4F4, 'u'},
    {0xA647, 'i'}, {0xA731, 's'}, {0xFF03, '#'}, {0xFF0E, '.'}, {0xFF0F, '/'}, {0xFF1A, ':'}, {0xFF1F, '?'},
    {0xFF20, '@'}, {0xFF61, '.'},
});
static_assert(std::ranges::is_sorted(table, {}, &LookAlike::code));

// Ranges of styled Latin alphabets: the letter that each starts with, and after how many letters it repeats.
struct Dress {
    char32_t first;
    char32_t last;
    char begins;
    char32_t period;  // the alphabet repeats after this many letters
};
constexpr std::array<Dress, 7> dresses{{{0x24B6, 0x24CF, 'a', 26},
                                        {0x24D0, 0x24E9, 'a', 26},
                                        {0xFF10, 0xFF19, '0', 10},
                                        {0xFF21, 0xFF3A, 'a', 26},
                                        {0xFF41, 0xFF5A, 'a', 26},
                                        {0x1D400, 0x1D6A3, 'a', 26},
                                        {0x1D7CE, 0x1D7FF, '0', 10}}};

}  // namespace

char ascii_look_alike(char32_t code) {
    for (const auto& dress : dresses) {
        if (code >= dress.first && code <= dress.last) {
            return static_cast<char>(dress.begins + static_cast<char>((code - dress.first) % dress.period));
        }
    }
    const auto* const found = std::ranges::lower_bound(table, code, {}, &LookAlike::code);
    return found == table.end() || found->code != code ? '\0' : found->ascii;
}

}  // namespace countersign::security
