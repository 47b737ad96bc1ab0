// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/webhook.hpp"

#include "channels/discord/bounds.hpp"
#include "channels/discord/message.hpp"
#include "core/limits.hpp"
#include "security/webhook_signature.hpp"

#include <utility>
#include <variant>

namespace countersign::channels::discord {

namespace asio = boost::asio;

DiscordWebhook::DiscordWebhook(const security::Ed25519PublicKey& key, Clock& clock, WebhookHandler handler)
    : key_{key}, clock_{clock}, started_{clock.wall()}, handler_{std::move(handler)} {}

std::chrono::milliseconds DiscordWebhook::reply_max() const { return limits::discord_webhook_max; }

Result<void> DiscordWebhook::verify(const InboundMessage& message) const {
    const auto* timestamp = single_header(message.headers, "x-signature-timestamp");
    const auto* signature = single_header(message.headers, "x-signature-ed25519");
    if (timestamp == nullptr || signature == nullptr) {
        return Error{Errc::bad_signature, "a delivery without exactly one timestamp and one signature"};
    }
    return security::verify_discord(key_, {.timestamp = *timestamp, .signature = *signature, .body = message.body},
                                    {.now = clock_.wall(), .started = started_});
}

asio::awaitable<Reply> DiscordWebhook::handle(InboundMessage message) {
    if (message.body.size() > limits::webhook_body_bytes_max) co_return Reply{.status = 413};
    if (const auto fits = verify(message); !fits) {
        if (handler_.on_refused) handler_.on_refused(fits.error());
        co_return Reply{.status = 401};
    }
    handler_.expect();
    auto payload = read_body(message.body);
    if (!payload) {
        if (handler_.on_problem) {
            handler_.on_problem("Discord sent a delivery that cannot be read: " + describe(payload.error()));
        }
        co_return Reply{.status = 400};
    }
    if (std::holds_alternative<Ping>(*payload)) co_return json_reply(pong());
    co_return co_await handler_.take(std::move(*payload));
}

}  // namespace countersign::channels::discord
