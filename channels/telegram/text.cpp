// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/text.hpp"

#include "channels/guard.hpp"
#include "core/utf8.hpp"

namespace countersign::channels::telegram {

namespace {

bool dropped_by_telegram(char32_t code) { return code == 0x30A || code == 0x333 || code == 0x33F; }

}  // namespace

std::size_t utf16_units(std::string_view text) {
    std::size_t units = 0;
    while (!text.empty()) {
        const auto next = utf8::decode(text);
        units += next && next->value > 0xFFFF ? 2 : 1;
        text.remove_prefix(next ? next->length : 1);
    }
    return units;
}

std::string_view head_units(std::string_view text, std::size_t units_max) {
    std::size_t bytes = 0;
    std::size_t units = 0;
    while (bytes < text.size()) {
        const auto next = utf8::decode(text.substr(bytes));
        units += next && next->value > 0xFFFF ? 2 : 1;
        if (units > units_max) break;
        bytes += next ? next->length : 1;
    }
    return text.substr(0, bytes);
}

std::string guarded_line(std::string_view sanitised) {
    return guarded(sanitised, security::DisplayMode::line, dropped_by_telegram);
}
std::string guarded_block(std::string_view sanitised) {
    return guarded(sanitised, security::DisplayMode::block, dropped_by_telegram);
}
std::string shown_line(std::string_view raw) { return guarded_line(displayed_line(raw)); }

StyledText& StyledText::plain(std::string_view words) {
    text_ += words;
    units_ += utf16_units(words);
    return *this;
}

StyledText& StyledText::bold(std::string_view words) { return styled("bold", words); }
StyledText& StyledText::code(std::string_view text) { return styled("code", guarded_line(text)); }
StyledText& StyledText::pre(std::string_view text, std::string_view language) {
    return styled("pre", guarded_block(text), language);
}

StyledText& StyledText::mention(std::string_view name, std::int64_t user) {
    const auto line = guarded_line(name);
    styled("text_mention", line);
    entities_.back().user = user;
    entities_.back().name = line;
    return *this;
}

StyledText styled(const Phrase& phrase) {
    StyledText text;
    for (const auto& piece : phrase.pieces()) {
        piece.is_code ? text.code(piece.text) : text.plain(guarded_block(piece.text));
    }
    return text;
}

StyledText& StyledText::styled(std::string_view type, std::string_view text, std::string_view language) {
    const auto offset = units_;
    plain(text);
    if (units_ > offset) entities_.push_back({std::string{type}, offset, units_ - offset, std::string{language}});
    return *this;
}

}  // namespace countersign::channels::telegram
