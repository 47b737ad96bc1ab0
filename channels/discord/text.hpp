// SPDX-License-Identifier: Apache-2.0
// Text as Discord takes it: Markdown, in which everything that others wrote is code. No text of an agent can become a
// link, a mention, an emoji or a style, and none can end the code that it is in.
#pragma once

#include "channels/lines.hpp"
#include "channels/phrase.hpp"
#include "channels/text_rules.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::discord {

using Json = nlohmann::json;

// A backtick costs what is sent in its place on one line.
inline constexpr TextRules text_rules{.units_of_character = [](char32_t character) -> std::size_t {
    if (character == U'`') return 6;
    return character > 0xFFFF ? 2 : 1;
}};
// As the platform counts what we send, in UTF-16 units.
[[nodiscard]] std::size_t sent_units(std::string_view text);
// Sent text cut to so many of these, with a mark. For labels, in which the platform reads no style.
[[nodiscard]] std::string fitted(std::string_view text, std::size_t units_max);

// Text that nobody sanitised: what a person typed, an error's detail.
[[nodiscard]] std::string shown_line(std::string_view raw);

// Words of ours, with every character escaped that the platform would read a style into.
[[nodiscard]] std::string escaped(std::string_view words, bool begins_line = true);
// On one line. A backtick in it is written as an escape.
[[nodiscard]] std::string inline_code(std::string_view text);
// A block of whole lines, coloured as `syntax` if that is not empty. Fences in the text are broken by characters that
// do not show.
[[nodiscard]] std::string code_block(std::string_view text, std::string_view syntax = {});

[[nodiscard]] std::string markdown(const TextLine& line);
[[nodiscard]] std::string markdown(const std::vector<TextLine>& lines);
[[nodiscard]] inline std::string markdown(const Phrase& phrase) { return markdown(lines_of(phrase)); }

}  // namespace countersign::channels::discord
