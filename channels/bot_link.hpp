// SPDX-License-Identifier: Apache-2.0
// BotLink: whether a bot's platform is reached, and whether it still takes the bot's token. The operator hears of each
// change once.
//
// A refused call alone says little, for a proxy may have answered. The channel is closed only when the platform, asked
// for that alone, says that the token is not valid. On the owner's thread.
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
        std::string_view refused;   // why all is undeliverable after the token was refused
        std::string_view advice;    // the same for the operator, with what to do
    };
    using IsRefused = std::function<boost::asio::awaitable<bool>()>;

    // Borrows the channel and the ports. `is_refused` asks the platform.
    BotLink(ChatChannel& chat, const PlatformPorts& ports, Words words, IsRefused is_refused)
        : chat_{chat}, clock_{ports.clock}, ids_{ports.ids}, words_{words}, is_refused_{std::move(is_refused)} {}

    // Starts the platform again and again, until it was reached or listening ended. An error but Errc::unavailable is
    // told to the operator and returned.
    boost::asio::awaitable<Result<void>> reach(Platform& platform);
    void reached();
    // Errc::unavailable, for Platform::start.
    [[nodiscard]] Error away(const std::string& why);

    // The platform refused the token for good; begins to find out if that is in doubt. Called for each refused call.
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
    bool away_ = false;      // and that was said
    bool doubting_ = false;  // the platform is being asked
    bool listening_ = true;
};

}  // namespace countersign::channels
