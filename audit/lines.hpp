// SPDX-License-Identifier: Apache-2.0
// Lines of a text, as notes, proofs and witnesses write them: each ends with LF.
#pragma once

#include <optional>
#include <string_view>

namespace countersign::audit {

// Up to the first LF, or the whole text.
[[nodiscard]] constexpr std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

// Removes the next line from the front and returns it without its LF. Empty if there is no complete line.
[[nodiscard]] constexpr std::optional<std::string_view> take_line(std::string_view& text) {
    const auto line = first_line(text);
    if (line.size() == text.size()) return std::nullopt;
    text.remove_prefix(line.size() + 1);
    return line;
}

}  // namespace countersign::audit
