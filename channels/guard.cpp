// SPDX-License-Identifier: Apache-2.0
#include "channels/guard.hpp"

#include "core/utf8.hpp"
#include "security/display/characters.hpp"

namespace countersign::channels {

namespace {

std::string escaped(char32_t code) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string hex;
    for (; code != 0; code >>= 4U) hex.insert(hex.begin(), digits[code & 15U]);
    return "\\u{" + hex + "}";
}

}  // namespace

std::string guarded(std::string_view text, security::DisplayMode mode, bool (*also)(char32_t character)) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto next = utf8::decode(text);
        const auto character = text.substr(0, next ? next->length : 1);
        if (next && also != nullptr && also(next->value)) {
            out += escaped(next->value);
        } else if (next && !security::hidden(next->value)) {
            out += character;
        } else {
            out += security::display(character, mode);
        }
        text.remove_prefix(character.size());
    }
    return out;
}

std::string displayed_line(std::string_view raw) { return security::display(raw, security::DisplayMode::line); }

}  // namespace countersign::channels
