// SPDX-License-Identifier: Apache-2.0
#include "security/redact/base64.hpp"

namespace countersign::security {

std::optional<std::string> decode_base64(std::string_view text) {
    while (text.ends_with('=')) text.remove_suffix(1);
    if (text.size() % 4 == 1) return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    std::uint32_t bits = 0;
    unsigned held = 0;
    for (const char byte : text) {
        const auto value = base64_bits[static_cast<std::uint8_t>(byte)];
        if (value == no_base64) return std::nullopt;
        bits = (bits << 6U) | value;
        held += 6;
        if (held < 8) continue;
        held -= 8;
        bytes += static_cast<char>((bits >> held) & 0xFFU);
    }
    return bytes;
}

}  // namespace countersign::security
