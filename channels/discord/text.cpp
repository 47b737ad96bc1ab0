// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/text.hpp"

#include "channels/discord/ids.hpp"
#include "channels/guard.hpp"

#include <algorithm>

namespace countersign::channels::discord {

namespace {

constexpr std::string_view invisible = "\u200B";          // breaks what it is in, and does not show
constexpr std::string_view escaped_backtick = "\\u{60}";  // as the display escapes what would not be seen
constexpr std::size_t fence = 3;

constexpr TextRules sent_rules{};

bool is_digit(char symbol) { return symbol >= '0' && symbol <= '9'; }

// ":tada:", or what makes a link of an address.
bool is_link_or_emoji(std::string_view rest) {
    if (rest.starts_with("://")) return true;
    const auto end = rest.find(':', 1);
    const auto name = end == rest.npos ? std::string_view{} : rest.substr(1, end - 1);
    return !name.empty() && name.find_first_of(" \n") == name.npos;
}

// Where the platform would read more than the character itself.
bool is_markup(std::string_view rest, bool begins_line) {
    const char symbol = rest.front();
    if (symbol == ':') return is_link_or_emoji(rest);
    if (begins_line && (symbol == '-' || symbol == '+')) return true;
    return std::string_view{"\\*_~|`[]<>#@"}.find(symbol) != std::string_view::npos;
}

std::string shown_piece(const Phrase::Piece& piece, bool begins_line) {
    const auto user = piece.style == TextStyle::mention ? user_of(piece.detail) : std::nullopt;
    if (user) return "<@" + *user + ">";
    const auto text = text_rules.shown(piece);
    if (piece.style == TextStyle::plain) return escaped(text, begins_line);
    if (piece.style == TextStyle::bold && !text.empty()) return "**" + escaped(text, false) + "**";
    if (piece.style == TextStyle::pre) return code_block(text, piece.detail);
    return inline_code(text);
}

}  // namespace

std::size_t sent_units(std::string_view text) { return sent_rules.units(text); }

std::string fitted(std::string_view text, std::size_t units_max) {
    if (sent_units(text) <= units_max) return std::string{text};
    return std::string{sent_rules.head(text, units_max - 1)} + "…";
}

std::string shown_line(std::string_view raw) { return text_rules.line(displayed_line(raw)); }

std::string escaped(std::string_view words, bool begins_line) {
    std::string made;
    std::size_t digits = 0;  // at the beginning of a line: a dot after them would make a list
    for (std::size_t at = 0; at < words.size(); ++at) {
        const char symbol = words[at];
        const bool numbers = digits > 0 && (symbol == '.' || symbol == ')');
        if (numbers || is_markup(words.substr(at), begins_line)) made += '\\';
        made += symbol;
        digits = (begins_line || digits > 0) && is_digit(symbol) ? digits + 1 : 0;
        begins_line = symbol == '\n' || (begins_line && symbol == ' ');
    }
    return made;
}

std::string inline_code(std::string_view text) {
    if (text.empty()) return {};
    std::string made = "`";
    for (const char symbol : text) {
        if (symbol == '`') {
            made += escaped_backtick;
        } else {
            made += symbol;
        }
    }
    return made + "`";
}

std::string code_block(std::string_view text, std::string_view syntax) {
    std::string made = "```" + std::string{syntax} + "\n";
    // The platform leaves out empty lines at the beginning, and makes no block of nothing else.
    if (text.empty() || text.front() == '\n') made += invisible;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find_first_not_of('`', at), text.size());
        const auto run = end - at;
        if (run == 0) {
            const auto next = std::min(text.find('`', at), text.size());
            made += text.substr(at, next - at);
            at = next;
            continue;
        }
        for (std::size_t i = 0; i < run; ++i) {
            if (i > 0 && run >= fence) made += invisible;
            made += '`';
        }
        at = end;
    }
    return made + "\n```";
}

std::string markdown(const TextLine& line) {
    std::string made;
    for (const auto& piece : line.pieces) made += shown_piece(piece, made.empty());
    return made;
}

std::string markdown(const std::vector<TextLine>& lines) {
    std::string made;
    for (std::size_t at = 0; at < lines.size(); ++at) {
        // An empty line before a block is the block's own margin.
        const bool margin = lines[at].pieces.empty() && at + 1 < lines.size() && lines[at + 1].is_frame();
        if (margin || (lines[at].pieces.empty() && made.empty())) continue;
        if (!made.empty()) made += '\n';
        made += markdown(lines[at]);
    }
    while (made.ends_with('\n')) made.pop_back();
    return made;
}

}  // namespace countersign::channels::discord
