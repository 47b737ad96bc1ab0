// SPDX-License-Identifier: Apache-2.0
// SHA-256 of one or several pieces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace countersign::security {

using Digest = std::array<std::uint8_t, 32>;

// Hashes the pieces in order, as if they were one. If their borders matter, the caller must add lengths.
class Sha256 {
public:
    Sha256();

    Sha256& update(std::span<const std::uint8_t> bytes);
    Sha256& update(std::string_view bytes);

    // Call once, at the end. Afterwards the object can be reused.
    [[nodiscard]] Digest finish();

private:
    void begin();

    alignas(8) std::array<std::byte, 112> context_;  // OpenSSL's; its headers aren't included here
};

[[nodiscard]] Digest sha256(std::span<const std::uint8_t> bytes);
[[nodiscard]] Digest sha256(std::string_view bytes);

}  // namespace countersign::security
