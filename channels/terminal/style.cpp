// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/style.hpp"

namespace countersign::channels::terminal {

namespace {

std::string_view code_of(Ink ink) {
    switch (ink) {
    case Ink::plain:
        return "";
    case Ink::faint:
        return "2";
    case Ink::good:
        return "32";
    case Ink::warn:
        return "33";
    case Ink::bad:
        return "31";
    case Ink::strong:
        return "1";
    case Ink::inverse:
        return "7";
    }
    return "";
}

bool is_colour(Ink ink) { return ink == Ink::good || ink == Ink::warn || ink == Ink::bad; }

}  // namespace

std::string paint(const Style& style, Ink ink, std::string_view text) {
    const auto code = code_of(ink);
    if (style.plain || code.empty() || text.empty() || (!style.colour && is_colour(ink))) return std::string{text};
    return "\x1b[" + std::string{code} + "m" + std::string{text} + "\x1b[0m";
}

}  // namespace countersign::channels::terminal
