// SPDX-License-Identifier: Apache-2.0
// SHA-256, of one piece or of many.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace countersign::security {

using Digest = std::array<std::uint8_t, 32>;

// Takes the pieces in order. What it hashed is the same as if they had come as one; a caller for whom the borders
// matter writes lengths between them.
class Sha256 {
public:
    Sha256();

    Sha256& update(std::span<const std::uint8_t> bytes);
    Sha256& update(std::string_view bytes);

    // Once, at the end. The object begins anew after it.
    [[nodiscard]] Digest finish();

private:
    void begin();

    alignas(8) std::array<std::byte, 112> context_;  // OpenSSL's, whose headers stay out of ours
};

[[nodiscard]] Digest sha256(std::span<const std::uint8_t> bytes);
[[nodiscard]] Digest sha256(std::string_view bytes);

}  // namespace countersign::security
