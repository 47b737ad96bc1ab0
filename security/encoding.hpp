// SPDX-License-Identifier: Apache-2.0
// Bytes as text: hexadecimal and base64.
//
// Decoding is strict, because two texts for the same bytes would be two keys in a replay table. The one exception is
// the case of hexadecimal digits, because platforms use both.
#pragma once

#include "core/result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::security {

using Bytes = std::vector<std::uint8_t>;

// Lower case.
[[nodiscard]] std::string hex(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::string hex(std::string_view bytes);
[[nodiscard]] Result<Bytes> hex_decode(std::string_view text);

// RFC 4648 section 4: with padding, unused bits zero, no line breaks.
[[nodiscard]] std::string base64(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::string base64(std::string_view bytes);
[[nodiscard]] Result<Bytes> base64_decode(std::string_view text);

// RFC 4648 section 5, as RFC 7515 uses it: '-' and '_', without padding.
[[nodiscard]] std::string base64url(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::string base64url(std::string_view bytes);
[[nodiscard]] Result<Bytes> base64url_decode(std::string_view text);

}  // namespace countersign::security
