// SPDX-License-Identifier: Apache-2.0
// The id of a request: 48 bits of wall time and 80 random bits, printed as 26 Crockford base-32 characters.
//
// It isn't a secret: knowing an id gives no right to decide.
#pragma once

#include "core/result.hpp"
#include "core/time.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace countersign {

class Ulid {
public:
    Ulid() = default;  // all zero: no request uses it
    Ulid(WallTime time, const std::array<std::uint8_t, 10>& random);

    // Accepts exactly 26 upper-case Crockford characters, the first at most '7'. Nothing else is accepted: two
    // spellings of one id would be two keys.
    [[nodiscard]] static Result<Ulid> parse(std::string_view text);

    [[nodiscard]] std::string str() const;
    [[nodiscard]] const std::array<std::uint8_t, 16>& bytes() const { return bytes_; }

    friend auto operator<=>(const Ulid&, const Ulid&) = default;

private:
    std::array<std::uint8_t, 16> bytes_{};
};

}  // namespace countersign

template <> struct std::hash<countersign::Ulid> {
    std::size_t operator()(const countersign::Ulid& ulid) const noexcept {
        std::size_t mixed = 14695981039346656037ULL;
        for (const auto byte : ulid.bytes()) mixed = (mixed ^ byte) * 1099511628211ULL;
        return mixed;
    }
};
