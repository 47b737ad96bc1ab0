// SPDX-License-Identifier: Apache-2.0
// A phrase in lines, for platforms whose messages are made of blocks.
#pragma once

#include "channels/phrase.hpp"
#include "channels/text_rules.hpp"

#include <string>
#include <vector>

namespace countersign::channels {

// A line of a phrase, or a frame of whole lines: then it is that one piece.
struct TextLine {
    std::vector<Phrase::Piece> pieces;
    [[nodiscard]] bool is_frame() const;
    [[nodiscard]] bool has(TextStyle style) const;
    [[nodiscard]] std::string text(const TextRules& rules) const;  // as it is shown
};
// Without empty lines at the end.
[[nodiscard]] std::vector<TextLine> lines_of(const Phrase& phrase);

}  // namespace countersign::channels
