// SPDX-License-Identifier: Apache-2.0
// A whole number in decimal digits.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace countersign {

// Nothing unless all of the text is one number that fits. A minus sign is read for signed types, a plus sign never.
template <std::integral Number> [[nodiscard]] std::optional<Number> parse_decimal(std::string_view text) {
    Number number = 0;
    const auto* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    return number;
}

}  // namespace countersign
