// SPDX-License-Identifier: Apache-2.0
#include "security/hmac.hpp"
#include "security/signature_header.hpp"
#include "security/webhook_signature.hpp"

namespace countersign::security {

Result<void> verify_slack(const Secret& signing_secret, const TimedDelivery& delivery, const FreshnessWindow& window) {
    if (const auto present = check_secret_present(signing_secret); !present) return present;
    if (const auto bounded = check_body_bound(delivery.body); !bounded) return bounded;
    const auto given = parse_hex_signature(delivery.signature, "v0=", sizeof(Mac256));
    if (!given) return given.error();
    const auto signed_at = parse_unix_seconds(delivery.timestamp);
    if (!signed_at) return signed_at.error();

    const auto expected = hmac_sha256(signing_secret, {"v0:", delivery.timestamp, ":", delivery.body});
    if (!equal_in_constant_time(expected, *given)) return signature_does_not_fit();
    return check_fresh(*signed_at, window);
}

}  // namespace countersign::security
