// SPDX-License-Identifier: Apache-2.0
// SlackWebhook: what Slack brings to the public address. The signature is checked on the raw bytes before anything is
// read (I5). One address takes clicks, slash commands and events: what a body is shows in the body.
#pragma once

#include "channels/slack/payload.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/inbound.hpp"
#include "core/result.hpp"
#include "security/secret_ring.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>

namespace countersign::channels::slack {

// Takes what was verified and read, and fills the slot or gives the reply. Shared by both fronts.
using TakePayload = std::function<boost::asio::awaitable<Reply>(Payload payload, std::shared_ptr<ReplySlot> slot)>;

struct WebhookHandler {
    TakePayload take;
    std::function<void()> expect = [] {};  // one that Slack sent is about to be read
    std::function<void(const std::string& line)> on_problem = {};
    std::function<void(const Error&)> on_refused = {};  // the sender is not Slack
};

class SlackWebhook final : public Inbound {
public:
    // Borrows the clock.
    SlackWebhook(security::SecretRing secrets, Clock& clock, WebhookHandler handler);

    // 401 without a word why; 200 for everything that Slack sent, also what we cannot read: it would only come again.
    boost::asio::awaitable<Reply> handle(InboundMessage message) override;
    [[nodiscard]] std::chrono::milliseconds reply_max() const override;

    // From the next delivery on these are valid, and no others.
    void trust(security::SecretRing secrets);

private:
    [[nodiscard]] Result<void> verify(const InboundMessage& message);

    security::SecretRing secrets_;
    bool said_expiring_ = false;  // that Slack still uses a secret that ends; once a ring
    Clock& clock_;
    WallTime started_;
    WebhookHandler handler_;
};

}  // namespace countersign::channels::slack
