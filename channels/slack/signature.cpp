// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/signature.hpp"

#include "security/secret.hpp"
#include "security/webhook_signature.hpp"

namespace countersign::channels::slack {

namespace {

Result<void> verify(std::string_view key, const CapturedDelivery& delivery) {
    if (key.starts_with("xox") || key.starts_with("xapp-")) {
        return Error{Errc::missing_secret,
                     "this is a token, not the signing secret: copy that from the app's page, Basic Information"};
    }
    return security::verify_slack(security::Secret{key}, {delivery.timestamp, delivery.signature, delivery.body},
                                  delivery.window);
}

}  // namespace

constinit const SignatureCheck signature_check{
    .header = "X-Slack-Signature", .key = "the signing secret (on the app's page Basic Information)", .verify = verify};

}  // namespace countersign::channels::slack
