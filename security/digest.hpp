// SPDX-License-Identifier: Apache-2.0
// SHA-256, of one piece or of many.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

struct evp_md_ctx_st;

namespace countersign::security {

using Digest = std::array<std::uint8_t, 32>;

// Takes the pieces in order. What it hashed is the same as if they had come as one; a caller for whom the borders matter
// writes lengths between them.
class Sha256 {
public:
    Sha256();

    Sha256& update(std::span<const std::uint8_t> bytes);
    Sha256& update(std::string_view bytes);

    // Once, at the end. The object begins anew after it.
    [[nodiscard]] Digest finish();

private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    void begin();

    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

[[nodiscard]] Digest sha256(std::span<const std::uint8_t> bytes);
[[nodiscard]] Digest sha256(std::string_view bytes);

}  // namespace countersign::security
