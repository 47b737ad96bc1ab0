// SPDX-License-Identifier: Apache-2.0
// BotLink: whether a bot's platform can be reached, and whether it still accepts the bot's token. Each change is
// reported to the operator once.
//
// One refused call doesn't prove that the token is invalid, because a proxy may have answered. So the channel is closed
// only after a second call, which does nothing but check the token, is refused as well. On the owner's thread.
#pragma once

#include "channels/platform.hpp"
#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace countersign::channels {

class BotLink {
public:
    struct Words {
        std::string_view platform;  // "Telegram"
        std::string_view refused;   // why every message is undeliverable once the token is refused
        std::string_view advice;    // the same for the operator, and what to do
    };
    using IsRefused = std::function<boost::asio::awaitable<bool>()>;

    // Borrows the channel and the ports. `is_refused` is the call that checks the token.
    BotLink(ChatChannel& chat, const PlatformPorts& ports, Words words, IsRefused is_refused)
        : chat_{chat}, clock_{ports.clock}, ids_{ports.ids}, words_{words}, is_refused_{std::move(is_refused)} {}

    // Calls Platform::start until it succeeds, with growing pauses, or until listening ends. Any error except
    // Errc::unavailable is reported to the operator and returned.
    boost::asio::awaitable<Result<void>> reach(Platform& platform);
    // The platform answered: ends `reach`, and reports that the platform is back if `away` was reported.
    void reached();
    // The platform can't be reached. Returns Errc::unavailable, which Platform::start returns.
    [[nodiscard]] Error away(const std::string& why);

    // Whether the token was found to be invalid. Call it for each refused call: it starts the check unless one runs.
    [[nodiscard]] bool is_gone();

    void stop_listening() { listening_ = false; }
    [[nodiscard]] bool listening() const { return listening_; }

private:
    boost::asio::awaitable<void> settle_doubt();

    ChatChannel& chat_;
    Clock& clock_;
    Ids& ids_;
    Words words_;
    IsRefused is_refused_;
    bool reached_ = false;
    bool away_ = false;      // the platform is unreachable, and the operator knows
    bool doubting_ = false;  // the token is being checked
    bool listening_ = true;
};

}  // namespace countersign::channels
