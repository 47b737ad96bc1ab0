// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/text.hpp"

#include "core/decimal.hpp"

namespace countersign::channels::telegram {

std::optional<std::int64_t> user_of(std::string_view principal) {
    constexpr std::string_view prefix = "telegram:";
    if (!principal.starts_with(prefix)) return std::nullopt;
    principal.remove_prefix(prefix.size());
    const auto user = parse_decimal<std::int64_t>(principal);
    return user && *user > 0 ? user : std::nullopt;
}

StyledText& StyledText::plain(std::string_view words) {
    text_ += words;
    units_ += text_rules.units(words);
    return *this;
}

StyledText& StyledText::bold(std::string_view words) { return styled("bold", words); }
StyledText& StyledText::code(std::string_view text) { return styled("code", text_rules.line(text)); }
StyledText& StyledText::pre(std::string_view text, std::string_view language) {
    return styled("pre", text_rules.block(text), language);
}

StyledText& StyledText::mention(std::string_view name, std::int64_t user) {
    const auto line = text_rules.line(name);
    styled("text_mention", line);
    entities_.back().user = user;
    entities_.back().name = line;
    return *this;
}

StyledText styled(const Phrase& phrase) {
    StyledText text;
    for (const auto& piece : phrase.pieces()) {
        switch (piece.style) {
        case TextStyle::plain:
            text.plain(text_rules.block(piece.text));
            break;
        case TextStyle::bold:
            text.bold(text_rules.block(piece.text));
            break;
        case TextStyle::code:
            text.code(piece.text);
            break;
        case TextStyle::pre:
            text.pre(piece.text, piece.detail);
            break;
        case TextStyle::mention:
            text.mention(piece.text, user_of(piece.detail).value_or(0));
            break;
        }
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
