// SPDX-License-Identifier: Apache-2.0
// WebhookInbound: updates that Telegram brings. The secret token is checked on the raw bytes before anything is read
// (I5).
//
// The secrets are today's: they are asked at each delivery, so one that a reload took away fails on a connection that
// has been open since before it, too.
#pragma once

#include "channels/telegram/poller.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/inbound.hpp"
#include "security/secret_ring.hpp"

#include <functional>
#include <optional>
#include <string>

namespace countersign::channels::telegram {

class WebhookInbound final : public Inbound {
public:
    // Borrows the clock. Precondition: check_telegram_secret of each secret.
    WebhookInbound(security::SecretRing secrets, Clock& clock, UpdateHandler handler,
                   std::function<void(const std::string& line)> on_problem,
                   std::function<void(const Error&)> on_refused);

    // 401 without a word why; 200 for everything that Telegram sent, also what we cannot read: it would only come
    // again.
    boost::asio::awaitable<Reply> handle(InboundMessage message) override;
    // The same for an update that is too large. Telegram would repeat it for a day, and hold back later updates.
    [[nodiscard]] std::optional<Reply> handle_without_body(const InboundMessage& message) override;

    // From the next delivery on these count, and no others.
    void trust(security::SecretRing secrets);

private:
    [[nodiscard]] bool is_telegrams(const InboundMessage& message);
    [[nodiscard]] Reply refuse_sender();
    [[nodiscard]] Reply pass_over();

    security::SecretRing secrets_;
    bool said_expiring_ = false;  // that Telegram still uses a secret that ends; once a ring
    Clock& clock_;
    UpdateHandler handler_;
    std::function<void(const std::string& line)> on_problem_;
    std::function<void(const Error&)> on_refused_;  // the sender is not Telegram, or the update is too large
};

}  // namespace countersign::channels::telegram
