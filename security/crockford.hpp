// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace countersign::security {

// Base 32 without I, L, O and U, so that people can't misread it.
inline constexpr std::string_view crockford_digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

[[nodiscard]] constexpr std::optional<std::uint8_t> crockford_value(char digit) {
    const auto found = crockford_digits.find(digit);
    if (found == std::string_view::npos) return std::nullopt;
    return static_cast<std::uint8_t>(found);
}

}  // namespace countersign::security
