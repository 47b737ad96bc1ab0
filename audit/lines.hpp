// SPDX-License-Identifier: Apache-2.0
// Lines of a text, as notes, proofs and witnesses write them: each is ended by LF.
#pragma once

#include <optional>
#include <string_view>

namespace countersign::audit {

// Up to the first LF, or all of it.
[[nodiscard]] constexpr std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

// Takes the next line off the front, and returns it without its LF. Nothing where there is no whole one.
[[nodiscard]] constexpr std::optional<std::string_view> take_line(std::string_view& text) {
    const auto line = first_line(text);
    if (line.size() == text.size()) return std::nullopt;
    text.remove_prefix(line.size() + 1);
    return line;
}

}  // namespace countersign::audit
