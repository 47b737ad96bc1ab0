// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/text.hpp"

#include "channels/slack/ids.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace countersign::channels::slack {

namespace {

using Escape = std::pair<std::string_view, std::string_view>;
constexpr std::array<Escape, 3> escapes{{{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}}};

Json text_element(std::string text, TextStyle style) {
    Json made{{"type", "text"}, {"text", std::move(text)}};
    if (style == TextStyle::bold) made["style"] = {{"bold", true}};
    if (style == TextStyle::code) made["style"] = {{"code", true}};
    return made;
}

// Nothing for an empty text, which Slack refuses.
std::optional<Json> element_of(const Phrase::Piece& piece) {
    if (piece.style == TextStyle::mention) {
        if (const auto user = user_of(piece.detail)) return Json{{"type", "user"}, {"user_id", *user}};
    }
    auto text = text_rules.shown(piece);
    if (text.empty()) return std::nullopt;
    return text_element(std::move(text), piece.style);
}

Json preformatted(std::string text) {
    return {{"type", "rich_text_preformatted"},
            {"elements", Json::array({text_element(std::move(text), TextStyle::plain)})}};
}

}  // namespace

Json rich_text(const std::vector<TextLine>& lines) {
    auto parts = Json::array();
    auto section = Json::array();
    const auto flush = [&] {
        if (!section.empty()) parts.push_back({{"type", "rich_text_section"}, {"elements", std::move(section)}});
        section = Json::array();
    };
    bool first = true;  // of its section
    for (const auto& line : lines) {
        if (line.is_frame()) {
            // An empty line before a frame is the frame's own margin.
            while (!section.empty() && section.back()["text"] == "\n") section.erase(section.size() - 1);
            flush();
            first = true;
            auto text = text_rules.shown(line.pieces.front());
            if (!text.empty()) parts.push_back(preformatted(std::move(text)));
            continue;
        }
        if (line.pieces.empty() && first) continue;
        if (!std::exchange(first, false)) section.push_back(text_element("\n", TextStyle::plain));
        for (const auto& piece : line.pieces) {
            if (auto element = element_of(piece)) section.push_back(std::move(*element));
        }
    }
    flush();
    if (parts.empty()) return nullptr;
    return {{"type", "rich_text"}, {"elements", std::move(parts)}};
}

Json frame(std::string_view text) {
    return {{"type", "rich_text"}, {"elements", Json::array({preformatted(std::string{text})})}};
}

std::string fitted(std::string_view text, std::size_t units_max) {
    if (text_rules.units(text) <= units_max) return std::string{text};
    return std::string{text_rules.head(text, units_max - 1)} + "…";
}

Json plain_text(std::string_view text, std::size_t units_max) {
    return {{"type", "plain_text"}, {"text", fitted(text, units_max)}, {"emoji", false}};
}

std::string escaped(std::string_view text) {
    std::string made;
    for (const char symbol : text) {
        const auto found = std::ranges::find(escapes, std::string_view{&symbol, 1}, &Escape::first);
        made += found == escapes.end() ? std::string_view{&symbol, 1} : found->second;
    }
    return made;
}

std::string unescaped(std::string_view text) {
    std::string made;
    while (!text.empty()) {
        const auto found =
            std::ranges::find_if(escapes, [&](const Escape& one) { return text.starts_with(one.second); });
        made += found == escapes.end() ? text.substr(0, 1) : found->first;
        text.remove_prefix(found == escapes.end() ? 1 : found->second.size());
    }
    return made;
}

}  // namespace countersign::channels::slack
