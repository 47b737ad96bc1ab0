// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/webhook.hpp"

#include "channels/slack/bounds.hpp"
#include "core/limits.hpp"
#include "security/webhook_signature.hpp"

#include <utility>

namespace countersign::channels::slack {

namespace asio = boost::asio;

SlackWebhook::SlackWebhook(security::SecretRing secrets, Clock& clock, WebhookHandler handler)
    : secrets_{std::move(secrets)}, clock_{clock}, started_{clock.wall()}, handler_{std::move(handler)} {}

std::chrono::milliseconds SlackWebhook::reply_max() const { return limits::slack_reply_max; }

void SlackWebhook::trust(security::SecretRing secrets) {
    secrets_ = std::move(secrets);
    said_expiring_ = false;
}

// With each secret of today. A stale delivery is told as that, also if another secret does not fit it.
Result<void> SlackWebhook::verify(const InboundMessage& message) {
    const auto* timestamp = single_header(message.headers, "x-slack-request-timestamp");
    const auto* signature = single_header(message.headers, "x-slack-signature");
    if (timestamp == nullptr || signature == nullptr) {
        return Error{Errc::bad_signature, "a delivery without exactly one timestamp and one signature"};
    }
    const security::TimedDelivery delivery{.timestamp = *timestamp, .signature = *signature, .body = message.body};
    const auto now = clock_.wall();
    auto worst = Error{Errc::bad_signature, "no signing secret is valid"};
    for (const auto& kept : secrets_.entries()) {
        if (kept.until && *kept.until <= now) continue;
        const auto fits = security::verify_slack(kept.secret, delivery, {.now = now, .started = started_});
        if (fits) {
            if (kept.until && !std::exchange(said_expiring_, true) && handler_.on_problem) {
                handler_.on_problem("Slack still signs with the " + kept.name + " secret, which is valid until " +
                                    rfc3339(*kept.until) + ": make the new one the present one in the app before that");
            }
            return fits;
        }
        if (worst.code != Errc::stale) worst = fits.error();
    }
    return worst;
}

asio::awaitable<Reply> SlackWebhook::handle(InboundMessage message) {
    if (message.body.size() > limits::webhook_body_bytes_max) co_return Reply{.status = 413};
    if (const auto fits = verify(message); !fits) {
        if (handler_.on_refused) handler_.on_refused(fits.error());
        co_return Reply{.status = 401};
    }
    handler_.expect();
    const auto* type = single_header(message.headers, "content-type");
    auto payload = read_body(type == nullptr ? std::string_view{} : std::string_view{*type}, message.body);
    if (!payload) {
        if (handler_.on_problem) {
            handler_.on_problem("Slack sent a delivery that cannot be read: " + describe(payload.error()));
        }
        co_return Reply{.status = 200};
    }
    co_return co_await handler_.take(std::move(*payload), std::move(message.slot));
}

}  // namespace countersign::channels::slack
