// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/signature.hpp"

#include "security/secret.hpp"
#include "security/webhook_signature.hpp"

namespace countersign::channels::telegram {

namespace {

Result<void> verify(std::string_view key, const CapturedDelivery& delivery) {
    return security::verify_telegram(security::Secret{key}, delivery.signature);
}

}  // namespace

constinit const SignatureCheck signature_check{.header = "X-Telegram-Bot-Api-Secret-Token",
                                               .signs_body = false,
                                               .key = "the secret token (webhook_secret_file of the channel)",
                                               .verify = verify};

}  // namespace countersign::channels::telegram
