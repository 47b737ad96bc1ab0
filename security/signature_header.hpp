// SPDX-License-Identifier: Apache-2.0
// Shared by the verifiers in webhook_signature.hpp: the checks before the cryptography.
#pragma once

#include "core/result.hpp"
#include "security/encoding.hpp"
#include "security/secret.hpp"

#include <cstddef>
#include <string_view>

namespace countersign::security {

// Accepts exactly `prefix` and the lower-case hexadecimal digits of `bytes` bytes. Errc::bad_signature if the header is
// missing, Errc::malformed for any other spelling: a signature has only one.
[[nodiscard]] Result<Bytes> parse_hex_signature(std::string_view header, std::string_view prefix, std::size_t bytes);

// Errc::missing_secret if the secret is empty: without a secret nothing is accepted (I2).
[[nodiscard]] Result<void> check_secret_present(const Secret& secret);

// Errc::too_large over webhook_body_bytes_max.
[[nodiscard]] Result<void> check_body_bound(std::string_view body);

// An error that reveals nothing about the correct signature.
[[nodiscard]] Error signature_does_not_fit();

}  // namespace countersign::security
