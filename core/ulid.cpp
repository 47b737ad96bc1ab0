// SPDX-License-Identifier: Apache-2.0
#include "core/ulid.hpp"

#include "core/limits.hpp"

#include <algorithm>

namespace countersign {
namespace {

constexpr std::string_view alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

}  // namespace

Ulid::Ulid(WallTime time, const std::array<std::uint8_t, 10>& random) {
    const auto millis = static_cast<std::uint64_t>(time.time_since_epoch().count());
    for (std::size_t i = 0; i < 6; ++i) bytes_[i] = static_cast<std::uint8_t>(millis >> (8 * (5 - i)));
    std::ranges::copy(random, bytes_.begin() + 6);
}

Result<Ulid> Ulid::parse(std::string_view text) {
    if (text.size() != limits::approval_id_chars) return Error{Errc::malformed, "an id is a ULID of 26 characters"};
    if (text.front() > '7') return Error{Errc::malformed, "an id begins with 0 to 7"};
    // 26 characters carry 130 bits; the first two are zero, so the value is shifted in from the right.
    Ulid parsed;
    for (const char symbol : text) {
        const auto digit = alphabet.find(symbol);
        if (digit == std::string_view::npos)
            return Error{Errc::malformed, "an id has only Crockford base-32 characters"};
        auto carry = static_cast<unsigned>(digit);
        for (auto byte = parsed.bytes_.rbegin(); byte != parsed.bytes_.rend(); ++byte) {
            const unsigned shifted = (static_cast<unsigned>(*byte) << 5U) | carry;
            *byte = static_cast<std::uint8_t>(shifted);
            carry = shifted >> 8U;
        }
    }
    return parsed;
}

std::string Ulid::str() const {
    auto rest = bytes_;
    std::string text(limits::approval_id_chars, '0');
    for (auto symbol = text.rbegin(); symbol != text.rend(); ++symbol) {
        unsigned carry = 0;  // remainder of the division by 32, from the most significant byte down
        for (auto& byte : rest) {
            const unsigned value = (carry << 8U) | byte;
            byte = static_cast<std::uint8_t>(value >> 5U);
            carry = value & 31U;
        }
        *symbol = alphabet[carry];
    }
    return text;
}

}  // namespace countersign
