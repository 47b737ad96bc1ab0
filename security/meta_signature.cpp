// SPDX-License-Identifier: Apache-2.0
#include "security/hmac.hpp"
#include "security/signature_header.hpp"
#include "security/webhook_signature.hpp"

namespace countersign::security {

Result<void> verify_meta(const Secret& app_secret, const MetaDelivery& delivery) {
    if (const auto present = check_secret_present(app_secret); !present) return present;
    if (const auto bounded = check_body_bound(delivery.body); !bounded) return bounded;
    const auto given = parse_hex_signature(delivery.signature, "sha256=", sizeof(Mac256));
    if (!given) return given.error();
    if (!equal_in_constant_time(hmac_sha256(app_secret, {delivery.body}), *given)) return signature_does_not_fit();
    return {};
}

}  // namespace countersign::security
