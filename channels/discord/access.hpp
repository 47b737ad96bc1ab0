// SPDX-License-Identifier: Apache-2.0
// Where the bot is and what it may do there: asks Discord for its servers, their channels and its permissions, and says
// in one sentence what is missing.
#pragma once

#include "channels/discord/client.hpp"
#include "channels/discord/commands.hpp"
#include "channels/discord/permissions.hpp"
#include "core/json/value.hpp"
#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace countersign::channels::discord {

// The application that a token belongs to, and its bot.
struct Application {
    std::string id;
    std::string bot;         // its user id
    std::string bot_name;    // without "@"
    std::string key;         // that verifies webhooks, in hex
    std::string presses_to;  // the Interactions Endpoint URL; empty: presses come over the Gateway
};
// Errc::missing_secret if Discord refuses the token.
boost::asio::awaitable<Result<Application>> own_application(DiscordClient& client);

struct Server {
    std::string id;
    std::string name;
    PermissionBits permissions = 0;  // of the bot in the whole server
};
// At most discord_servers_max.
boost::asio::awaitable<Result<std::vector<Server>>> own_servers(DiscordClient& client);

// A channel of a server that messages can be sent to.
struct ServerChannel {
    std::string id;
    std::string title;  // "#ops of Acme"
    bool visible = false;
};
boost::asio::awaitable<Result<std::vector<ServerChannel>>> channels_of(DiscordClient& client, Server server,
                                                                       Application application);

// Finds out what the bot lacks in channels, one after the other. What it learns of servers is asked for once.
class ChannelCheck {
public:
    // Borrows the client.
    ChannelCheck(DiscordClient& client, Application application)
        : client_{client}, application_{std::move(application)} {}

    // What is wrong with this channel, and what to click. Nothing: all is well there. An error: Discord did not say.
    boost::asio::awaitable<Result<std::optional<std::string>>> flaw(std::string channel);

private:
    boost::asio::awaitable<Result<std::optional<Server>>> server_named(std::string id);
    boost::asio::awaitable<Result<Membership>> membership_in(Server server);

    DiscordClient& client_;
    Application application_;
    std::optional<std::vector<Server>> servers_;
    std::map<std::string, Membership> memberships_;  // by server
};

// Registers what is missing. In a server: deletes the same commands elsewhere, which would be shown twice. Commands of
// other names stay. Errc::bad_config with what to do if the application may not register commands in that server.
boost::asio::awaitable<Result<void>> register_commands(DiscordClient& client, CommandPlace place);

// Whether the bot was added to the server with the scope applications.commands; true if Discord did not say.
boost::asio::awaitable<bool> may_have_commands(DiscordClient& client, CommandPlace place);

}  // namespace countersign::channels::discord
