// SPDX-License-Identifier: Apache-2.0
// Pairing: finds out who we are at Telegram, who the person is, and which groups the bot is in.
//
// A person is bound by writing a code, shown in their own terminal, to the bot in a private chat: single use, ten
// minutes, never "the first who writes". A code that was written anywhere else has been read by others: it counts no
// more, and the terminal shows another.
#pragma once

#include "channels/telegram/client.hpp"
#include "core/ports/clock.hpp"
#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
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
// What the terminal is told. `new_code` makes one and shows it: the first, and the next where one was seen elsewhere.
struct PairingTerminal {
    std::function<std::string()> new_code;
    std::function<void()> wrong_code;  // somebody sent one
};
// Polls until somebody writes "/start CODE" in a private chat; others who write there are told what is missing.
// Errc::timeout pairing_max after the last code; Errc::conflict if something else takes the bot's updates.
boost::asio::awaitable<Result<Paired>> pair(const TelegramClient& client, Clock& clock, PairingTerminal terminal);

}  // namespace countersign::channels::telegram
