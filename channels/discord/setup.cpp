// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/setup.hpp"

#include "channels/discord/access.hpp"
#include "channels/discord/client.hpp"
#include "channels/discord/ids.hpp"
#include "channels/discord/open.hpp"
#include "channels/discord/pairing.hpp"
#include "core/limits.hpp"
#include "security/display/display.hpp"
#include "security/ed25519.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace countersign::channels::discord {

namespace asio = boost::asio;

namespace {

constexpr std::string_view own_server = "https://discord.com/api/v10";

class DiscordSetup final : public Setup {
public:
    explicit DiscordSetup(SetupContext context) : context_{std::move(context)} {}

    std::vector<Credential> credentials() override;
    asio::awaitable<Result<void>> check(const Credential& credential, security::Secret value) override;
    asio::awaitable<Result<PairedPerson>> pair() override;
    asio::awaitable<Result<void>> check_chat(std::string chat) override;
    std::vector<std::pair<std::string, std::string>> settings() override;
    bool changes_channel(bool is_configured) const override {
        return !context_.option("--gateway").empty() || (is_configured && !webhook().empty());
    }
    asio::awaitable<Result<std::string>> change(ConfiguredChannel& channel) override;

private:
    [[nodiscard]] std::string webhook() const { return context_.option("--webhook"); }
    [[nodiscard]] std::string base_url() const {
        auto given = context_.option("--base-url");
        return given.empty() ? std::string{own_server} : given;
    }
    [[nodiscard]] std::string guild() const { return context_.option("--guild"); }
    asio::awaitable<Result<void>> take_presses(DiscordClient& client, Application application, bool is_ours) const;
    asio::awaitable<Result<std::vector<Server>>> wait_for_server() const;
    asio::awaitable<std::map<std::string, std::string>> channels_in(std::vector<Server> servers) const;
    asio::awaitable<Result<void>> to_webhook(ConfiguredChannel& channel, Application application) const;
    asio::awaitable<Result<void>> to_gateway(ConfiguredChannel& channel, DiscordClient& client,
                                             Application application) const;

    SetupContext context_;
    std::unique_ptr<DiscordClient> client_;  // after the token was checked
    Application application_;
};

std::vector<Credential> DiscordSetup::credentials() {
    return {{.setting = "token_file",
             .file = "discord-token",
             .question = "The bot's token (it is not shown): ",
             .steps =
                 "Countersign needs a Discord application of its own, with a bot. If you have it already, continue "
                 "at\nstep 2.\n\n"
                 "1. Open https://discord.com/developers/applications, choose New Application, and give it a "
                 "name.\n"
                 "2. Choose Bot on the left, then Reset Token, and copy the token. Leave every switch under\n"
                 "   Privileged Gateway Intents off: none is needed.\n"}};
}

asio::awaitable<Result<void>> DiscordSetup::check(const Credential& /*credential*/, security::Secret value) {
    if (!guild().empty() && !is_snowflake(guild())) {
        co_return Error{Errc::malformed, "--guild takes the id of a server: turn on Developer Mode in Discord, then "
                                         "\"Copy Server ID\""};
    }
    if (const auto token = check_token(value); !token) co_return token.error();
    auto client = std::make_unique<DiscordClient>(context_.http, context_.clock, base_url(), std::move(value));
    auto application = co_await own_application(*client);
    if (!application) co_return application.error();
    context_.tell("This is @" + application->bot_name + " (application " + application->id + ").\n");
    client_ = std::move(client);
    application_ = std::move(*application);
    co_return Result<void>{};
}

// While an Interactions Endpoint URL is set, no press comes over the Gateway. It may belong to another program.
asio::awaitable<Result<void>> DiscordSetup::take_presses(DiscordClient& client, Application application,
                                                         bool is_ours) const {
    if (application.presses_to.empty()) co_return Result<void>{};
    const auto url = security::display(application.presses_to, security::DisplayMode::line);
    if (!is_ours && !context_.force) {
        co_return Error{Errc::conflict, "the application sends its presses to " + url +
                                            ": if your other programs don't use it, delete it with --force"};
    }
    const auto reply = co_await client.call(delete_interactions_url());
    if (const auto* refusal = std::get_if<Refusal>(&reply)) {
        co_return Error{Errc::unavailable, "the Interactions Endpoint URL was not deleted: " + refusal->why};
    }
    context_.tell("Deleted the application's Interactions Endpoint URL, " + url + "\n");
    co_return Result<void>{};
}

// People can write to a bot only if they are in one of its servers.
asio::awaitable<Result<std::vector<Server>>> DiscordSetup::wait_for_server() const {
    context_.tell("\n3. Add the bot to your server: open this address and choose the server. It asks for what the bot "
                  "needs\n   in channels, and for nothing else.\n\n    " +
                  invite_address(application_.id) + "\n\n");
    const auto end = context_.clock.boot() + limits::pairing_max;
    for (bool waiting = false; context_.clock.boot() < end; waiting = true) {
        auto servers = co_await own_servers(*client_);
        if (!servers && servers.error().code != Errc::unavailable) co_return servers.error();
        if (servers && !servers->empty()) {
            std::string names;
            for (const auto& server : *servers) {
                names += (names.empty() ? "" : ", ") + security::display(server.name, security::DisplayMode::line);
            }
            context_.tell("The bot is in " + names + ".\n");
            co_return servers;
        }
        if (!servers && !waiting) context_.tell(servers.error().detail + "\n");
        if (servers && !waiting) context_.tell("Waiting until the bot is in a server …\n");
        co_await context_.clock.sleep_until(context_.clock.boot() + limits::pairing_retry);
    }
    co_return Error{Errc::timeout, "the bot was not added to a server within ten minutes; run the command again"};
}

asio::awaitable<Result<PairedPerson>> DiscordSetup::pair() {
    const auto address = webhook().empty() ? Result<std::string>{std::string{}} : context_.address(webhook());
    if (!address) co_return address.error();
    const bool stays = !address->empty() && *address == application_.presses_to;
    if (!stays) {
        const auto ours = co_await take_presses(*client_, application_, false);
        if (!ours) co_return ours.error();
    }
    const auto servers = co_await wait_for_server();
    if (!servers) co_return servers.error();
    const auto registered = co_await register_commands(*client_, {.application = application_.id, .server = guild()});
    if (!registered) co_return registered.error();

    const auto name = "@" + application_.bot_name;
    const auto terminal = pairing_terminal(
        context_.tell,
        {.intro = "Registered the slash commands" + (guild().empty() ? "" : " in the server " + guild()) + ".\n",
         .how = [name, bot = application_.bot](const std::string& code) {
             return "4. Open a direct message to " + name + ":\n    https://discord.com/users/" + bot +
                    "\nand send this code, within ten minutes:\n\n    " + code +
                    "\n\nor type /countersign start and the code in your server, where only you see it. Don't post the "
                    "code\nin a channel.\n";
         }});
    auto paired = co_await discord::pair({.client = *client_,
                                          .clock = context_.clock,
                                          .ids = context_.ids,
                                          .connect = socket_connect(context_.executor),
                                          .tell = context_.tell},
                                         base_url(), application_.bot, terminal);
    if (!paired) co_return paired.error();
    co_return PairedPerson{
        .id = std::move(paired->id), .first_name = std::move(paired->name), .groups = co_await channels_in(*servers)};
}

// Empty if Discord doesn't tell: then requests go to the person's direct messages.
asio::awaitable<std::map<std::string, std::string>> DiscordSetup::channels_in(std::vector<Server> servers) const {
    std::map<std::string, std::string> found;
    std::size_t hidden = 0;
    for (const auto& server : servers) {
        if (found.size() >= limits::paired_groups_max) break;
        const CommandPlace here{.application = application_.id, .server = server.id};
        if (!co_await may_have_commands(*client_, here)) {
            context_.tell("In " + security::display(server.name, security::DisplayMode::line) +
                          " the bot lacks the scope applications.commands, so that slash commands are not shown there: "
                          "open\n    " +
                          invite_address(application_.id) + "\nand choose that server.\n");
        }
        const auto channels = co_await channels_of(*client_, server, application_);
        if (!channels) continue;
        for (const auto& channel : *channels) {
            if (!channel.visible)
                ++hidden;
            else if (found.size() < limits::paired_groups_max)
                found[channel.id] = channel.title;
        }
    }
    if (hidden > 0) {
        context_.tell("Channels that the bot cannot see: " + std::to_string(hidden) +
                      ". To use one, give the bot View Channel there, and name it with --chat.\n");
    }
    co_return found;
}

asio::awaitable<Result<void>> DiscordSetup::check_chat(std::string chat) {
    ChannelCheck check{*client_, application_};
    const auto flaw = co_await check.flaw(std::move(chat));
    if (!flaw) co_return flaw.error();
    if (*flaw) co_return Error{Errc::bad_config, **flaw};
    co_return Result<void>{};
}

std::vector<std::pair<std::string, std::string>> DiscordSetup::settings() {
    std::vector<std::pair<std::string, std::string>> known{{"application_id", application_.id}};
    if (!guild().empty()) known.emplace_back("guild", guild());
    if (auto url = context_.option("--base-url"); !url.empty()) known.emplace_back("base_url", std::move(url));
    return known;
}

asio::awaitable<Result<std::string>> DiscordSetup::change(ConfiguredChannel& channel) {
    // A hub that runs has its way of hearing people; only a key or an address may change under it.
    const bool is_webhook = channel.settings().text("mode") == "webhook";
    const bool will_be_webhook = !webhook().empty();
    if (is_webhook != will_be_webhook) {
        if (const auto alone = channel.no_hub_runs(); !alone) co_return alone.error();
    }
    auto token = channel.settings().secret("token_file");
    if (!token) co_return token.error();
    if (const auto right = check_token(*token); !right) co_return right.error();
    const auto url = channel.settings().text("base_url");
    DiscordClient client{context_.http, context_.clock, url.empty() ? std::string{own_server} : url, std::move(*token)};
    const auto application = co_await own_application(client);
    if (!application) co_return application.error();
    const auto changed = will_be_webhook ? co_await to_webhook(channel, *application)
                                         : co_await to_gateway(channel, client, *application);
    if (!changed) co_return changed.error();
    co_return std::string{will_be_webhook ? "The next start listens for Discord there."
                                          : "The next start uses the Gateway."};
}

asio::awaitable<Result<void>> DiscordSetup::to_webhook(ConfiguredChannel& channel, Application application) const {
    const auto address = channel.address(webhook());
    if (!address) co_return address.error();
    if (const auto key = security::Ed25519PublicKey::parse(application.key); !key) {
        co_return Error{Errc::malformed, "Discord's answer has no public key of the application"};
    }
    const auto planned =
        channel.plan({.set = {{"mode", "webhook"}, {"public_key", application.key}, {"application_id", application.id}},
                      .remove = {}});
    if (!planned) co_return planned.error();
    if (const auto listens = channel.plan_listener(context_.option("--listen")); !listens) co_return listens.error();
    if (const auto written = channel.write(); !written) co_return written.error();
    context_.tell(
        "\nThe public key of the application is in the configuration now. While the hub runs, because Discord "
        "checks\nwhat you save, open https://discord.com/developers/applications/" +
        application.id + "/information\nand paste this under Interactions Endpoint URL:\n        " + *address + "\n\n");
    co_return Result<void>{};
}

asio::awaitable<Result<void>> DiscordSetup::to_gateway(ConfiguredChannel& channel, DiscordClient& client,
                                                       Application application) const {
    const auto planned = channel.plan({.set = {}, .remove = {"mode"}});
    if (!planned) co_return planned.error();
    const bool ours = application.presses_to.ends_with("/webhooks/discord/" + channel.name());
    const auto taken = co_await take_presses(client, application, ours);
    if (!taken) co_return taken.error();
    if (const auto written = channel.write(); !written) co_return written.error();
    tell_unused(context_, "The Gateway", channel, {"public_key"});
    co_return Result<void>{};
}

constexpr SetupOption options[] = {
    {.name = "--guild",
     .help = "Register the slash commands in this server alone, by its id (default: everywhere, which includes direct "
             "messages)"},
    {.name = "--webhook",
     .help = "Discord calls your https address instead of using the Gateway; a channel that exists is switched "
             "over"},
    {.name = "--gateway",
     .help = "Switch a channel back to the Gateway, which needs no address",
     .is_flag = true,
     .excludes = "--webhook"},
    {.name = "--listen",
     .help = "With --webhook: where this machine listens, behind a proxy that does the TLS (default: 127.0.0.1:8080)"},
    {.name = "--base-url", .help = "The address of another REST API than https://discord.com/api/v10"}};

}  // namespace

constinit const SetupKind setup_kind{
    .title = "Discord",
    .help = "Connect a bot, pair your account, register commands, send a test approval",
    .what = "the bot",
    .channel = "discord",
    .channel_help =
        "The channel's name: of the new bot (default: discord), or with --webhook and --gateway the channel "
        "to change",
    .force_help = "Also deletes an Interactions Endpoint URL that another program set",
    .footer = "It takes five minutes, and each step is explained before it asks. The token is asked for, never an "
              "argument.\n\n"
              "Example: countersign setup discord --person alice\n"
              "Later, with your own https address: countersign setup discord --webhook https://your.host\n"
              "and back again: countersign setup discord --gateway",
    .options = options,
    .open = [](SetupContext context) -> std::unique_ptr<Setup> {
        return std::make_unique<DiscordSetup>(std::move(context));
    }};

}  // namespace countersign::channels::discord
