// SPDX-License-Identifier: Apache-2.0
// Pairing at Discord: waits at the Gateway until a person writes the code to the bot directly, or with the slash
// command, which only they see.
//
// Discord brings nothing of what people write in servers, so a code that was written there can't be noticed.
#pragma once

#include "channels/discord/client.hpp"
#include "channels/discord/socket.hpp"
#include "channels/socket_pairing.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/ids.hpp"
#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>

namespace countersign::channels::discord {

// Borrowed for as long as the pairing takes.
struct PairingPorts {
    DiscordClient& client;
    Clock& clock;
    Ids& ids;
    Connect connect;
    std::function<void(const std::string& text)> tell;  // the person at the terminal; ends with a line feed
};

// The person by user id, and the name that Discord shows. `bot` is the bot's own user id. Errc::timeout, pairing_max
// after the last code; Errc::bad_config if the Gateway refuses the bot.
boost::asio::awaitable<Result<Paired>> pair(PairingPorts ports, std::string base_url, std::string bot,
                                            PairingTerminal terminal);

}  // namespace countersign::channels::discord
