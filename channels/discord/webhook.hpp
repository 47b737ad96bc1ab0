// SPDX-License-Identifier: Apache-2.0
// DiscordWebhook: what Discord brings to the public address. The signature is checked on the raw bytes before anything
// is read (I5).
//
// Discord sends wrong signatures on purpose from time to time, and no longer uses an address that takes one.
#pragma once

#include "channels/discord/payload.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/inbound.hpp"
#include "core/result.hpp"
#include "security/ed25519.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <string>

namespace countersign::channels::discord {

// Takes what was verified and read. The reply is there in time for Discord; what comes of it later goes out through the
// channel. Shared by both fronts.
using TakePayload = std::function<boost::asio::awaitable<Reply>(Payload payload)>;

struct WebhookHandler {
    TakePayload take;
    std::function<void()> expect = [] {};  // one that Discord sent is about to be read
    std::function<void(const std::string& line)> on_problem = {};
    std::function<void(const Error&)> on_refused = {};  // the sender is not Discord
};

class DiscordWebhook final : public Inbound {
public:
    // Borrows the clock.
    DiscordWebhook(const security::Ed25519PublicKey& key, Clock& clock, WebhookHandler handler);

    // 401 without a word why.
    boost::asio::awaitable<Reply> handle(InboundMessage message) override;
    // After the handler's own time: what Discord takes as "the result follows" depends on what it brought.
    [[nodiscard]] std::chrono::milliseconds reply_max() const override;

    // From the next delivery on this key is valid, and no other.
    void trust(const security::Ed25519PublicKey& key) { key_ = key; }

private:
    [[nodiscard]] Result<void> verify(const InboundMessage& message) const;

    security::Ed25519PublicKey key_;
    Clock& clock_;
    WallTime started_;
    WebhookHandler handler_;
};

}  // namespace countersign::channels::discord
