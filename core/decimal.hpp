// SPDX-License-Identifier: Apache-2.0
// Parses whole decimal numbers.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace countersign {

// Returns nullopt unless the whole text is one number in range. A minus sign is accepted for signed types, a plus sign
// never.
template <std::integral Number> [[nodiscard]] std::optional<Number> parse_decimal(std::string_view text) {
    Number number = 0;
    const auto* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    return number;
}

}  // namespace countersign
