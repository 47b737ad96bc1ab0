// SPDX-License-Identifier: Apache-2.0
// Did the platform send these bytes? One verifier a platform, all of one shape: the secret, what arrived, and for those
// that sign a time the window it must lie in. They look at raw bytes, before anything is parsed (I5).
//
// Errc::bad_signature, ::malformed, ::stale, ::too_large or ::missing_secret, each with one line for the operator that
// never says what would have been right. A peer learns only that it was refused.
//
// A fitting signature says who sent the bytes, not that they are new: take the delivery id to a ReplayGuard next. And
// it says nothing about the person inside them: every string in there is the sender's.
#pragma once

#include "core/result.hpp"
#include "security/ed25519.hpp"
#include "security/freshness.hpp"
#include "security/secret.hpp"

#include <cstddef>
#include <string_view>

namespace countersign::security {

// A delivery as it came in: header values without surrounding blanks, empty where the header is missing.
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
    std::string_view url;  // the configured public URL with the query that came; never made from the Host header
    std::string_view content_type;
    std::string_view signature;
    std::string_view body;
};

// X-Slack-Signature: v0=HMAC-SHA256 of "v0:timestamp:body". The timestamp is checked in both directions, which the
// vendor's own Node framework does not do.
[[nodiscard]] Result<void> verify_slack(const Secret& signing_secret, const TimedDelivery& delivery,
                                        const FreshnessWindow& window);

// X-Signature-Ed25519 over timestamp and body. Discord probes with bad signatures and drops an endpoint that accepts
// one; the window is ours.
[[nodiscard]] Result<void> verify_discord(const Ed25519PublicKey& application_key, const TimedDelivery& delivery,
                                          const FreshnessWindow& window);

// X-Telegram-Bot-Api-Secret-Token: the secret itself. It covers neither body nor time.
[[nodiscard]] Result<void> verify_telegram(const Secret& secret_token, std::string_view header);
inline constexpr std::size_t telegram_secret_chars_max = 256;  // the platform's own bound
// What setWebhook will accept, and at least secret_bytes_min: to be asked when the configuration is loaded.
[[nodiscard]] Result<void> check_telegram_secret(const Secret& secret_token);

// X-Hub-Signature-256: sha256=HMAC-SHA256 of the body, escapes and all.
[[nodiscard]] Result<void> verify_meta(const Secret& app_secret, const MetaDelivery& delivery);

// X-Twilio-Signature: base64 of HMAC-SHA1 over the URL and, for a form, its fields sorted. Any other body is covered by
// the query parameter bodySHA256.
//
// Twilio writes keys and values without separators, and equal pairs once. So a captured delivery can be spelled in
// other ways that fit: in another order, doubled, or cut elsewhere. Whoever reads the fields must check their shape
// (MessageSid is "SM" and 32 digits) and take the replay key from them, not from the body.
[[nodiscard]] Result<void> verify_twilio(const Secret& auth_token, const TwilioDelivery& delivery);

}  // namespace countersign::security
