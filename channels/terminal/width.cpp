// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/width.hpp"

#include "core/utf8.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace countersign::channels::terminal {

namespace {

struct Range {
    char32_t first;
    char32_t last;
};

constexpr std::array zero_width{
    Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD}, Range{0x0610, 0x061A}, Range{0x064B, 0x065F},
    Range{0x0E31, 0x0E31}, Range{0x0E34, 0x0E3A}, Range{0x0E47, 0x0E4E}, Range{0x1AB0, 0x1ACE}, Range{0x1DC0, 0x1DFF},
    Range{0x200B, 0x200F}, Range{0x20D0, 0x20F0}, Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F}, Range{0xE0100, 0xE01EF},
};
// From here on a character is wide unless it is listed: terminals differ, and later releases of Unicode add to them.
constexpr char32_t first_wide = 0x1100;
constexpr std::array narrow{
    Range{0x1160, 0x22FF}, Range{0x2500, 0x25FC},   Range{0x2C00, 0x2E7F},   Range{0xA4D0, 0xA95F},
    Range{0xA980, 0xABFF}, Range{0xFB00, 0xFDFF},   Range{0xFE70, 0xFEFF},   Range{0xFF61, 0xFFDC},
    Range{0xFFE8, 0xFFFD}, Range{0x10000, 0x16FDF}, Range{0x1D400, 0x1D7FF}, Range{0x1E000, 0x1EFFF},
};

bool within(std::span<const Range> ranges, char32_t character) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const Range& range) { return range.first <= character && character <= range.last; });
}

// A byte that belongs to no character is shown as U+FFFD, one column wide.
utf8::CodePoint first_of(std::string_view text) {
    return utf8::decode(text).value_or(utf8::CodePoint{.value = utf8::replacement, .length = 1});
}

}  // namespace

std::size_t width_of(char32_t character) {
    if (character < 0x300) return 1;
    if (within(zero_width, character)) return 0;
    return character < first_wide || within(narrow, character) ? 1 : 2;
}

std::size_t width_of(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        const auto next = first_of(text);
        width += width_of(next.value);
        text.remove_prefix(next.length);
    }
    return width;
}

std::vector<std::string_view> wrap(std::string_view line, std::size_t columns) {
    // Two columns are the least in which every character has room.
    columns = std::max<std::size_t>(columns, 2);
    std::vector<std::string_view> pieces;
    std::size_t taken = 0;
    std::size_t width = 0;
    std::size_t words = 0;  // up to the last blank
    while (taken < line.size()) {
        const auto next = first_of(line.substr(taken));
        const auto more = width_of(next.value);
        while (width + more > columns) {
            const auto end = words > 0 ? words : taken;
            pieces.push_back(line.substr(0, end));
            width = width_of(line.substr(end, taken - end));
            line.remove_prefix(end);
            taken -= end;
            words = 0;
        }
        taken += next.length;
        width += more;
        if (next.value == U' ') words = taken;
    }
    pieces.push_back(line);
    return pieces;
}

std::string fit(std::string_view text, std::size_t columns) {
    if (width_of(text) <= columns) return std::string{text};
    std::string head;
    std::size_t width = 0;
    while (!text.empty()) {
        const auto next = first_of(text);
        width += width_of(next.value);
        if (width + 1 > columns) break;
        head += text.substr(0, next.length);
        text.remove_prefix(next.length);
    }
    return head + "…";
}

std::string fit_tail(std::string_view text, std::size_t columns) {
    auto width = width_of(text);
    if (width <= columns) return std::string{text};
    while (!text.empty() && width + 1 > columns) {
        const auto next = first_of(text);
        width -= width_of(next.value);
        text.remove_prefix(next.length);
    }
    return "…" + std::string{text};
}

}  // namespace countersign::channels::terminal
