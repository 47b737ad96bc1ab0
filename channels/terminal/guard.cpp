// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/guard.hpp"

#include "core/utf8.hpp"
#include "security/display.hpp"
#include "security/display_characters.hpp"

namespace countersign::channels::terminal {

namespace {

std::string guarded(std::string_view text, security::DisplayMode mode) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto next = utf8::decode(text);
        const auto character = text.substr(0, next ? next->length : 1);
        const bool harmless = next && !security::hidden(next->value);
        out += harmless ? std::string{character} : security::display(character, mode);
        text.remove_prefix(character.size());
    }
    return out;
}

}  // namespace

std::string guarded_line(std::string_view sanitised) { return guarded(sanitised, security::DisplayMode::line); }
std::string guarded_block(std::string_view sanitised) { return guarded(sanitised, security::DisplayMode::block); }
std::string shown_line(std::string_view raw) { return security::display(raw, security::DisplayMode::line); }

}  // namespace countersign::channels::terminal
