// SPDX-License-Identifier: Apache-2.0
// Did the platform send these bytes? There is one verifier per platform, all of the same shape: the secret, the
// delivery and, for platforms that sign a time, the freshness window. They check raw bytes before anything is parsed
// (I5).
//
// Errors are Errc::bad_signature, ::malformed, ::stale, ::too_large or ::missing_secret, each with one line for the
// operator that never reveals the correct value. The peer only learns that it was refused.
//
// A valid signature proves who sent the bytes, not that they are new: pass the delivery id to a ReplayGuard next. It
// proves nothing about the person named in them: every string in the body comes from the sender.
#pragma once

#include "core/result.hpp"
#include "security/ed25519.hpp"
#include "security/freshness.hpp"
#include "security/secret.hpp"

#include <cstddef>
#include <string_view>

namespace countersign::security {

// A delivery as received: header values without surrounding blanks, empty if the header is missing.
struct TimedDelivery {
    std::string_view timestamp;
    std::string_view signature;
    std::string_view body;
};
struct MetaDelivery {
    std::string_view signature;
    std::string_view body;
};
struct TwilioDelivery {
    std::string_view url;  // the configured public URL with the received query; never built from the Host header
    std::string_view content_type;
    std::string_view signature;
    std::string_view body;
};

// X-Slack-Signature: v0=HMAC-SHA256 of "v0:timestamp:body". Checks the timestamp in both directions, which the vendor's
// own Node framework doesn't.
[[nodiscard]] Result<void> verify_slack(const Secret& signing_secret, const TimedDelivery& delivery,
                                        const FreshnessWindow& window);

// X-Signature-Ed25519 over timestamp and body. Discord sends invalid signatures as a test and drops an endpoint that
// accepts one. The freshness window is our own rule.
[[nodiscard]] Result<void> verify_discord(const Ed25519PublicKey& application_key, const TimedDelivery& delivery,
                                          const FreshnessWindow& window);

// X-Telegram-Bot-Api-Secret-Token: the secret itself. It doesn't cover the body or the time.
[[nodiscard]] Result<void> verify_telegram(const Secret& secret_token, std::string_view header);
inline constexpr std::size_t telegram_secret_chars_max = 256;  // the platform's limit
// Checks that setWebhook will accept the secret and that it has at least secret_bytes_min. Call when the configuration
// is loaded.
[[nodiscard]] Result<void> check_telegram_secret(const Secret& secret_token);

// X-Hub-Signature-256: sha256=HMAC-SHA256 of the raw body, including its escapes.
[[nodiscard]] Result<void> verify_meta(const Secret& app_secret, const MetaDelivery& delivery);

// X-Twilio-Signature: base64 of HMAC-SHA1 over the URL and, for a form, its sorted fields. Any other body is covered by
// the query parameter bodySHA256.
//
// Twilio writes keys and values without separators, and equal pairs only once. So an attacker can rewrite a captured
// delivery in ways that stay valid: reordered, doubled, or split elsewhere. The caller must check the shape of the
// fields it reads (MessageSid is "SM" and 32 digits) and use them as the replay key, not the body.
[[nodiscard]] Result<void> verify_twilio(const Secret& auth_token, const TwilioDelivery& delivery);

}  // namespace countersign::security
