// SPDX-License-Identifier: Apache-2.0
// What the verifiers of webhook_signature.hpp share: the checks before the cryptography.
#pragma once

#include "core/result.hpp"
#include "security/encoding.hpp"
#include "security/secret.hpp"

#include <cstddef>
#include <string_view>

namespace countersign::security {

// Exactly `prefix` and the lower-case hexadecimal digits of `bytes` bytes. Errc::bad_signature if there is no header,
// Errc::malformed for any other spelling: one signature is written in one way.
[[nodiscard]] Result<Bytes> parse_hex_signature(std::string_view header, std::string_view prefix, std::size_t bytes);

// Errc::missing_secret without a secret: a verifier without one accepts nothing (I2).
[[nodiscard]] Result<void> check_secret_present(const Secret& secret);

// Errc::too_large over webhook_body_bytes_max.
[[nodiscard]] Result<void> check_body_bound(std::string_view body);

// The refusal that says nothing about what would have been right.
[[nodiscard]] Error signature_does_not_fit();

}  // namespace countersign::security
