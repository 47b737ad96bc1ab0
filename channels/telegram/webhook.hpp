// SPDX-License-Identifier: Apache-2.0
// Webhook: updates that Telegram brings. The secret token is checked on the raw bytes before anything is read (I5).
#pragma once

#include "channels/telegram/poller.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/inbound.hpp"
#include "security/secret.hpp"

#include <functional>
#include <string>

namespace countersign::channels::telegram {

class Webhook final : public Inbound {
public:
    // Borrows the clock. Precondition: check_telegram_secret(secret).
    Webhook(security::Secret secret, Clock& clock, UpdateHandler handler,
            std::function<void(const std::string& line)> on_problem);

    // 401 without a word why; 200 for everything that Telegram sent, also what we cannot read: it would only come
    // again.
    boost::asio::awaitable<Reply> handle(InboundMessage message) override;

private:
    [[nodiscard]] bool is_telegrams(const InboundMessage& message) const;

    security::Secret secret_;
    Clock& clock_;
    UpdateHandler handler_;
    std::function<void(const std::string& line)> on_problem_;
};

}  // namespace countersign::channels::telegram
