// SPDX-License-Identifier: Apache-2.0
// Text as Slack takes it: rich text and plain_text objects, in which nothing is parsed. No text of an agent can become
// a link, a mention, an emoji or a style.
//
// The one string of a message that Slack does parse is its `text`, which notifications show: it goes through `escaped`.
#pragma once

#include "channels/json_body.hpp"
#include "channels/lines.hpp"
#include "channels/phrase.hpp"
#include "channels/text_rules.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::slack {

inline constexpr TextRules text_rules{};

// Nothing is cut; no lines give no block (null).
[[nodiscard]] Json rich_text(const std::vector<TextLine>& lines);
[[nodiscard]] inline Json rich_text(const Phrase& phrase) { return rich_text(lines_of(phrase)); }
[[nodiscard]] Json frame(std::string_view text);  // a rich text block of one frame

// Cut to so many units, with a mark. Emoji names stay as they are written.
[[nodiscard]] Json plain_text(std::string_view text, std::size_t units_max);
[[nodiscard]] std::string fitted(std::string_view text, std::size_t units_max);

// For `text`: Slack reads <…> and & in it, and nothing else that reaches anyone.
[[nodiscard]] std::string escaped(std::string_view text);
// What Slack escaped in a text that a person typed.
[[nodiscard]] std::string unescaped(std::string_view text);

}  // namespace countersign::channels::slack
