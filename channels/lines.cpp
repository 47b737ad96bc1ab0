// SPDX-License-Identifier: Apache-2.0
#include "channels/lines.hpp"

#include <algorithm>
#include <utility>

namespace countersign::channels {

bool TextLine::is_frame() const { return pieces.size() == 1 && pieces.front().style == TextStyle::pre; }

bool TextLine::has(TextStyle style) const {
    return std::ranges::any_of(pieces, [style](const auto& piece) { return piece.style == style; });
}

std::string TextLine::text(const TextRules& rules) const {
    std::string all;
    for (const auto& piece : pieces) all += rules.shown(piece);
    return all;
}

std::vector<TextLine> lines_of(const Phrase& phrase) {
    std::vector<TextLine> lines(1);
    bool after_frame = false;  // the newline that ends a frame begins no line of its own
    for (const auto& piece : phrase.pieces()) {
        if (piece.style == TextStyle::pre) {
            if (lines.back().pieces.empty()) lines.pop_back();
            lines.push_back({{piece}});
            lines.emplace_back();
            after_frame = true;
            continue;
        }
        if (piece.style != TextStyle::plain) {
            lines.back().pieces.push_back(piece);
            after_frame = false;
            continue;
        }
        std::string_view rest = piece.text;
        if (std::exchange(after_frame, false) && rest.starts_with('\n')) rest.remove_prefix(1);
        for (auto end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
            if (end > 0) lines.back().pieces.push_back({TextStyle::plain, std::string{rest.substr(0, end)}});
            lines.emplace_back();
            rest.remove_prefix(end + 1);
        }
        if (!rest.empty()) lines.back().pieces.push_back({TextStyle::plain, std::string{rest}});
    }
    while (!lines.empty() && lines.back().pieces.empty()) lines.pop_back();
    return lines;
}

}  // namespace countersign::channels
