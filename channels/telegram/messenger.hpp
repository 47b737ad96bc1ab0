// SPDX-License-Identifier: Apache-2.0
// The Bot API as a Messenger: cards into calls, and answers into what is to be done.
#pragma once

#include "channels/messenger.hpp"
#include "channels/telegram/client.hpp"
#include "channels/telegram/render.hpp"

#include <functional>
#include <string>

namespace countersign::limits {

inline constexpr std::size_t telegram_group_reserve = 5;  // of a group's burst: edits and notices leave it to cards

}  // namespace countersign::limits

namespace countersign::channels::telegram {

// Groups have negative ids, and public ones may be named.
[[nodiscard]] bool is_group(const std::string& chat);

// What an answer means for whoever wanted to send something. Pure. A refused token is a reason to wait, until somebody
// found out that there is no such bot any more.
[[nodiscard]] Tried tried_of(const BotReply& reply);

class TelegramMessenger final : public Messenger {
public:
    // Borrows the client and the keys. `is_gone` is asked each time that the token was refused: true if it is known
    // that there is no such bot.
    TelegramMessenger(const TelegramClient& client, Keys keys, std::function<bool()> is_gone)
        : client_{client}, renderer_{keys}, is_gone_{std::move(is_gone)} {}

    [[nodiscard]] Result<std::string> chat_of(const Recipient& to) const override;
    [[nodiscard]] bool is_group(const std::string& chat) const override;
    [[nodiscard]] bool is_message(const std::string& name) const override;
    [[nodiscard]] const Renderer& renderer() const override { return renderer_; }
    boost::asio::awaitable<Tried> send(Outgoing call) override;

private:
    const TelegramClient& client_;
    TelegramRenderer renderer_;
    std::function<bool()> is_gone_;
};

}  // namespace countersign::channels::telegram
