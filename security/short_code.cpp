// SPDX-License-Identifier: Apache-2.0
#include "security/short_code.hpp"

#include "security/crockford.hpp"
#include "security/hmac.hpp"

#include <cstdint>

namespace countersign::security {
namespace {

char forgiven(char typed) {
    const char upper = typed >= 'a' && typed <= 'z' ? static_cast<char>(typed - ('a' - 'A')) : typed;
    if (upper == 'O') return '0';
    if (upper == 'I' || upper == 'L') return '1';
    return upper;
}

}  // namespace

Result<std::string> parse_short_code(std::string_view typed) {
    if (typed.size() != short_code_chars) return Error{Errc::malformed, "a code has 8 characters"};
    std::string code;
    for (const char symbol : typed) {
        code += forgiven(symbol);
        if (!crockford_value(code.back()))
            return Error{Errc::malformed, "a code has only digits and letters, and no U"};
    }
    return code;
}

std::string ShortCodes::code(const Ulid& approval_id, std::string_view audience) const {
    // The id is always 26 characters, so it needs no length prefix.
    const auto mac = hmac_sha256(key_, {"code/v1", approval_id.str(), audience});
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 5; ++i) bits = bits << 8U | mac[i];
    std::string text(short_code_chars, '0');
    for (auto symbol = text.rbegin(); symbol != text.rend(); ++symbol) {
        *symbol = crockford_digits[bits & 31U];
        bits >>= 5U;
    }
    return text;
}

bool ShortCodes::fits(std::string_view typed, const Ulid& approval_id, std::string_view audience) const {
    const auto parsed = parse_short_code(typed);
    return parsed && equal_in_constant_time(*parsed, code(approval_id, audience));
}

}  // namespace countersign::security
