// SPDX-License-Identifier: Apache-2.0
#include "security/signature_header.hpp"
#include "security/webhook_signature.hpp"

#include <algorithm>
#include <string>

namespace countersign::security {

Result<void> verify_discord(const Ed25519PublicKey& application_key, const TimedDelivery& delivery,
                            const FreshnessWindow& window) {
    if (const auto bounded = check_body_bound(delivery.body); !bounded) return bounded;
    const auto given = parse_hex_signature(delivery.signature, "", sizeof(Ed25519Signature));
    if (!given) return given.error();
    const auto signed_at = parse_unix_seconds(delivery.timestamp);
    if (!signed_at) return signed_at.error();

    Ed25519Signature signature{};
    std::ranges::copy(*given, signature.begin());
    const auto message = std::string{delivery.timestamp}.append(delivery.body);
    if (!application_key.verify(signature, message)) return signature_does_not_fit();
    return check_fresh(*signed_at, window);
}

}  // namespace countersign::security
