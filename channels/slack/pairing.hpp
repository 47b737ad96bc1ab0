// SPDX-License-Identifier: Apache-2.0
// Pairing at Slack: waits in Socket Mode until a person writes the code to the bot directly, or with the slash command,
// which only they see.
#pragma once

#include "channels/slack/client.hpp"
#include "channels/slack/socket.hpp"
#include "channels/socket_pairing.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/ids.hpp"
#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>

namespace countersign::channels::slack {

// Borrowed for as long as the pairing takes.
struct PairingPorts {
    const SlackClient& bot;
    const SlackClient& app;  // with the app-level token
    Clock& clock;
    Ids& ids;
    Connect connect;
    std::function<void(const std::string& text)> tell;  // the person at the terminal; ends with a line feed
};

// The person as "T0123/U061F7AUR"; Slack tells their name with a slash command only.
// `bot_user` is the bot's own id. Errc::timeout: pairing_max after the last code; Errc::bad_config if the app doesn't
// use Socket Mode.
boost::asio::awaitable<Result<Paired>> pair(PairingPorts ports, std::string bot_user, PairingTerminal terminal);

}  // namespace countersign::channels::slack
