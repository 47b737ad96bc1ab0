// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/signature.hpp"

#include "security/ed25519.hpp"
#include "security/webhook_signature.hpp"

namespace countersign::channels::discord {

namespace {

Result<void> verify(std::string_view key, const CapturedDelivery& delivery) {
    const auto parsed = security::Ed25519PublicKey::parse(key);
    if (!parsed) return parsed.error();
    return security::verify_discord(*parsed, {delivery.timestamp, delivery.signature, delivery.body}, delivery.window);
}

}  // namespace

constinit const SignatureCheck signature_check{
    .header = "X-Signature-Ed25519",
    .key = "the public key (64 hex digits, on the application's page General Information)",
    .key_is_public = true,
    .verify = verify};

}  // namespace countersign::channels::discord
