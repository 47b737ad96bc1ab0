// SPDX-License-Identifier: Apache-2.0
// Pairing at Telegram: finds out who the bot is, who the person is, and which groups the bot is in.
#pragma once

#include "channels/pairing.hpp"
#include "channels/telegram/client.hpp"
#include "core/ports/clock.hpp"
#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace countersign::channels::telegram {

// "@name". Errc::missing_secret if Telegram knows no such bot.
boost::asio::awaitable<Result<std::string>> bot_name(const TelegramClient& client);

struct Paired {
    std::int64_t person = 0;
    std::string first_name;                     // as they call themselves
    std::map<std::string, std::string> groups;  // id, title: those that showed themselves meanwhile
};
// Polls until a person writes "/start CODE" in a private chat; others who write there are told what is missing.
// Errc::timeout pairing_max after the last code; Errc::conflict if something else takes the bot's updates.
boost::asio::awaitable<Result<Paired>> pair(const TelegramClient& client, Clock& clock, PairingTerminal terminal);

}  // namespace countersign::channels::telegram
