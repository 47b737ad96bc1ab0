// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/access.hpp"

#include "channels/discord/bounds.hpp"
#include "channels/guard.hpp"
#include "core/json/members.hpp"

#include <algorithm>
#include <utility>

namespace countersign::channels::discord {

namespace asio = boost::asio;
using json::array_in;
using json::integer_of;
using json::object_in;
using json::text_of;

namespace {

constexpr std::int64_t no_access = 50'001;

enum ChannelType : std::int64_t {
    text_channel = 0,
    category = 4,
    announcements = 5,
    announcement_thread = 10,
    public_thread = 11,
    private_thread = 12,
    directory = 14,
    forum = 15,
    media = 16
};

bool is_thread(std::int64_t type) {
    return type == announcement_thread || type == public_thread || type == private_thread;
}
// Posts or other channels are made there, not messages.
bool takes_no_messages(std::int64_t type) {
    return type == category || type == directory || type == forum || type == media;
}

Error error_of(const Refusal& refusal, std::string_view what) {
    if (refusal.kind == Refusal::Kind::bad_token) {
        return {Errc::missing_secret, "Discord refuses this token (" + refusal.why +
                                          "): copy it from the application's page, Bot, Reset Token"};
    }
    return {Errc::unavailable, "Discord did not tell " + std::string{what} + ": " + refusal.why};
}

std::string title_of(const json::Object& channel, const std::string& server) {
    const auto name = "#" + displayed_line(text_of(channel, "name"));
    return server.empty() ? name : name + " of " + displayed_line(server);
}

// A permission that the bot lacks in the whole server comes with another invitation; else the channel itself has an
// exception.
std::string remedy(const std::vector<Permission>& missing, const Server& server, const Application& application) {
    const bool in_server =
        std::ranges::any_of(missing, [&](const Permission& one) { return (server.permissions & one.bit) == 0; });
    if (in_server) {
        return "open " + invite_address(application.id) +
               " again and choose that server, or give them to the bot's role in Server Settings, Roles";
    }
    return "choose Edit Channel, Permissions, add the role or the name of the bot there, and allow it";
}

asio::awaitable<Result<Membership>> membership(DiscordClient& client, Server server, Application application) {
    const auto reply = co_await client.call(get_member(server.id, application.bot));
    if (const auto* refusal = std::get_if<Refusal>(&reply)) co_return error_of(*refusal, "the bot's roles");
    Membership bot{.server = server.id, .bot = application.bot, .permissions = server.permissions};
    for (const auto& role : array_in(std::get<ApiAnswer>(reply).object, "roles")) {
        if (const auto* id = role.string(); id != nullptr) bot.roles.push_back(*id);
    }
    co_return bot;
}

asio::awaitable<Result<json::Object>> channel_named(DiscordClient& client, std::string id) {
    const auto reply = co_await client.call(get_channel(id));
    const auto* refusal = std::get_if<Refusal>(&reply);
    if (refusal == nullptr) co_return std::get<ApiAnswer>(reply).object;
    if (refusal->kind == Refusal::Kind::unreachable) co_return Error{Errc::undeliverable, refusal->why};
    co_return error_of(*refusal, "about the channel");
}

std::string no_commands_in(const CommandPlace& place) {
    return "the bot is not in the server " + place.server +
           ", or was added without the scope applications.commands: open " + invite_address(place.application) +
           " and choose that server";
}

}  // namespace

asio::awaitable<Result<Application>> own_application(DiscordClient& client) {
    const auto reply = co_await client.call(current_application());
    if (const auto* refusal = std::get_if<Refusal>(&reply)) co_return error_of(*refusal, "whose token this is");
    const auto& answer = std::get<ApiAnswer>(reply).object;
    const auto& bot = object_in(answer, "bot");
    Application application{.id = text_of(answer, "id"),
                            .bot = text_of(bot, "id"),
                            .bot_name = displayed_line(text_of(bot, "username")),
                            .key = text_of(answer, "verify_key"),
                            .presses_to = text_of(answer, "interactions_endpoint_url")};
    if (!is_snowflake(application.id) || !is_snowflake(application.bot)) {
        co_return Error{Errc::unavailable, "the answer to applications/@me names no bot; is --base-url right?"};
    }
    co_return application;
}

asio::awaitable<Result<std::vector<Server>>> own_servers(DiscordClient& client) {
    const auto reply = co_await client.call(list_servers(limits::discord_servers_max));
    if (const auto* refusal = std::get_if<Refusal>(&reply)) co_return error_of(*refusal, "the bot's servers");
    std::vector<Server> servers;
    for (const auto& one : std::get<ApiAnswer>(reply).list) {
        const auto* server = one.object();
        if (server == nullptr || servers.size() >= limits::discord_servers_max) continue;
        Server found{.id = text_of(*server, "id"),
                     .name = text_of(*server, "name"),
                     .permissions = permission_bits(text_of(*server, "permissions"))};
        if (is_snowflake(found.id)) servers.push_back(std::move(found));
    }
    co_return servers;
}

asio::awaitable<Result<std::vector<ServerChannel>>> channels_of(DiscordClient& client, Server server,
                                                                Application application) {
    const auto bot = co_await membership(client, server, application);
    if (!bot) co_return bot.error();
    const auto reply = co_await client.call(list_channels(server.id));
    if (const auto* refusal = std::get_if<Refusal>(&reply)) co_return error_of(*refusal, "the server's channels");
    std::vector<ServerChannel> channels;
    for (const auto& one : std::get<ApiAnswer>(reply).list) {
        const auto* channel = one.object();
        const auto type = channel == nullptr ? std::nullopt : integer_of(*channel, "type");
        if (type != text_channel && type != announcements) continue;
        auto id = text_of(*channel, "id");
        if (!is_snowflake(id)) continue;
        channels.push_back({.id = std::move(id),
                            .title = title_of(*channel, server.name),
                            .visible = is_visible(permissions_in(*channel, *bot))});
    }
    co_return channels;
}

asio::awaitable<Result<std::optional<Server>>> ChannelCheck::server_named(std::string id) {
    if (!servers_) {
        auto listed = co_await own_servers(client_);
        if (!listed) co_return listed.error();
        servers_ = std::move(*listed);
    }
    const auto found = std::ranges::find(*servers_, id, &Server::id);
    co_return found == servers_->end() ? std::optional<Server>{} : std::optional{*found};
}

asio::awaitable<Result<Membership>> ChannelCheck::membership_in(Server server) {
    if (const auto known = memberships_.find(server.id); known != memberships_.end()) co_return known->second;
    auto bot = co_await membership(client_, server, application_);
    if (bot) memberships_[server.id] = *bot;
    co_return bot;
}

asio::awaitable<Result<std::optional<std::string>>> ChannelCheck::flaw(std::string channel) {
    using Flaw = std::optional<std::string>;
    const auto bot_name = "@" + application_.bot_name;
    auto found = co_await channel_named(client_, channel);
    if (!found && found.error().code == Errc::undeliverable) {
        co_return Flaw{bot_name + " cannot use the channel " + channel + " (" + found.error().detail + ")"};
    }
    if (!found) co_return found.error();
    const auto type = integer_of(*found, "type").value_or(text_channel);
    const auto title = title_of(*found, {}) + " (" + channel + ")";
    if (takes_no_messages(type)) co_return Flaw{title + " takes no messages: choose a text channel"};
    if (is_thread(type)) {  // it has the permissions of the channel that it is in
        found = co_await channel_named(client_, text_of(*found, "parent_id"));
        if (!found) co_return found.error();
    }
    const auto server = co_await server_named(text_of(*found, "guild_id"));
    if (!server) co_return server.error();
    if (!*server) co_return Flaw{};
    const auto bot = co_await membership_in(**server);
    if (!bot) co_return bot.error();
    const auto missing = missing_permissions(permissions_in(*found, *bot));
    if (missing.empty()) co_return Flaw{};
    co_return Flaw{"in " + title + " " + bot_name + " lacks " + list_permissions(missing) + ": " +
                   remedy(missing, **server, application_)};
}

asio::awaitable<Result<void>> register_commands(DiscordClient& client, CommandPlace place) {
    const auto refused = [&](const Refusal& refusal) -> Error {
        if (!place.server.empty() && refusal.code == no_access) return {Errc::bad_config, no_commands_in(place)};
        return {Errc::unavailable, "the slash commands were not registered: " + refusal.why};
    };
    const auto listed = co_await client.call(list_commands(place));
    if (const auto* refusal = std::get_if<Refusal>(&listed)) co_return refused(*refusal);
    for (const auto& command : missing_commands(std::get<ApiAnswer>(listed).list, place)) {
        const auto made = co_await client.call(register_command(place, command));
        if (const auto* refusal = std::get_if<Refusal>(&made)) co_return refused(*refusal);
    }
    if (place.server.empty()) co_return Result<void>{};
    const CommandPlace everywhere{.application = place.application};
    const auto others = co_await client.call(list_commands(everywhere));
    if (const auto* refusal = std::get_if<Refusal>(&others)) co_return refused(*refusal);
    for (const auto& id : own_commands(std::get<ApiAnswer>(others).list)) {
        const auto gone = co_await client.call(delete_command(everywhere, id));
        if (const auto* refusal = std::get_if<Refusal>(&gone)) co_return refused(*refusal);
    }
    co_return Result<void>{};
}

asio::awaitable<bool> may_have_commands(DiscordClient& client, CommandPlace place) {
    const auto listed = co_await client.call(list_commands(place));
    const auto* refusal = std::get_if<Refusal>(&listed);
    co_return refusal == nullptr || refusal->code != no_access;
}

}  // namespace countersign::channels::discord
