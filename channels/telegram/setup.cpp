// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/setup.hpp"

#include "channels/telegram/client.hpp"
#include "channels/telegram/pairing.hpp"
#include "channels/telegram/webhook_info.hpp"
#include "security/display/display.hpp"
#include "security/webhook_signature.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace countersign::channels::telegram {

namespace asio = boost::asio;

namespace {

constexpr std::string_view own_server = "https://api.telegram.org";

Error refused(const Refusal& refusal) {
    using enum Refusal::Kind;
    if (refusal.kind == bad_token) return {Errc::missing_secret, "Telegram knows no bot with this token"};
    if (refusal.kind == rejected) return {Errc::bad_config, "Telegram does not take this webhook: " + refusal.why};
    return {Errc::unavailable, refusal.why};
}

asio::awaitable<Result<void>> done(const TelegramClient& client, Call call) {
    auto reply = co_await client.call(std::move(call));
    if (const auto* refusal = std::get_if<Refusal>(&reply)) co_return refused(*refusal);
    co_return Result<void>{};
}

asio::awaitable<Result<WebhookInfo>> webhook_info(const TelegramClient& client) {
    auto reply = co_await client.call(get_webhook_info());
    if (const auto* refusal = std::get_if<Refusal>(&reply)) co_return refused(*refusal);
    co_return read_webhook_info(std::get<json::Value>(reply));
}

class TelegramSetup final : public Setup {
public:
    explicit TelegramSetup(SetupContext context) : context_{std::move(context)} {}

    std::vector<Credential> credentials() override {
        return {{.setting = "token_file",
                 .file = "telegram-token",
                 .question = "The bot's token, as @BotFather gave it (it is not shown): "}};
    }
    asio::awaitable<Result<void>> check(const Credential& credential, security::Secret value) override;
    asio::awaitable<Result<PairedPerson>> pair() override;
    std::vector<std::pair<std::string, std::string>> settings() override {
        if (base_url().empty()) return {};
        return {{"base_url", base_url()}};
    }
    bool changes_channel(bool is_configured) const override {
        return !context_.option("--poll").empty() || (is_configured && !context_.option("--webhook").empty());
    }
    asio::awaitable<Result<std::string>> change(ConfiguredChannel& channel) override;

private:
    [[nodiscard]] std::string base_url() const { return context_.option("--base-url"); }
    [[nodiscard]] TelegramClient client_for(const std::string& base_url, security::Secret token) const {
        return {context_.http, base_url.empty() ? std::string{own_server} : base_url, std::move(token)};
    }
    // One that was set before would take the code that we wait for; whose it is, we cannot know.
    asio::awaitable<Result<void>> take_webhook_away(const TelegramClient& client) const;
    asio::awaitable<Result<void>> to_webhook(const TelegramClient& client, ConfiguredChannel& channel) const;
    asio::awaitable<Result<void>> to_polling(const TelegramClient& client, ConfiguredChannel& channel) const;

    SetupContext context_;
    security::Secret token_;
    std::string bot_;  // "@name"
};

asio::awaitable<Result<void>> TelegramSetup::check(const Credential& /*credential*/, security::Secret value) {
    if (const auto token = check_token(value); !token) co_return token.error();
    const auto client = client_for(base_url(), value.duplicate());
    auto name = co_await bot_name(client);
    if (!name) co_return name.error();
    token_ = std::move(value);
    bot_ = std::move(*name);
    co_return Result<void>{};
}

asio::awaitable<Result<void>> TelegramSetup::take_webhook_away(const TelegramClient& client) const {
    const auto info = co_await webhook_info(client);
    if (!info) co_return info.error();
    if (info->url.empty()) co_return Result<void>{};
    const auto url = security::display(info->url, security::DisplayMode::line);
    if (!context_.force) {
        co_return Error{Errc::conflict, "a webhook is set for this bot, to " + url +
                                            ": if your other programs don't use it, delete it with " +
                                            context_.command + " --force"};
    }
    context_.tell("The bot's webhook to " + url + " is taken away.\n");
    co_return co_await done(client, delete_webhook());
}

asio::awaitable<Result<PairedPerson>> TelegramSetup::pair() {
    const auto client = client_for(base_url(), token_.duplicate());
    if (const auto free = co_await take_webhook_away(client); !free) co_return free.error();
    const auto terminal = pairing_terminal(
        context_.tell,
        {.intro = "This is " + bot_ +
                  ". Add it to a group now, if you want one. Write to it in a private chat, within ten minutes:\n",
         .how = [name = bot_.substr(1)](const std::string& code) {
             return "    /start " + code + "\n\nor open https://t.me/" + name + "?start=" + code +
                    " and press Start.\n";
         }});
    auto paired = co_await telegram::pair(client, context_.clock, terminal);
    if (!paired) co_return paired.error();
    co_return PairedPerson{.id = std::to_string(paired->person),
                           .first_name = std::move(paired->first_name),
                           .groups = std::move(paired->groups)};
}

asio::awaitable<Result<std::string>> TelegramSetup::change(ConfiguredChannel& channel) {
    auto token = channel.settings().secret("token_file");
    if (!token) co_return token.error();
    if (const auto right = check_token(*token); !right) co_return right.error();
    const auto client = client_for(channel.settings().text("base_url"), std::move(*token));
    // A hub that runs has its way of taking updates; only a secret or an address may change under it.
    const bool polls = channel.settings().text("mode") != "webhook";
    const bool will_poll = context_.option("--webhook").empty();
    if (polls != will_poll) {
        if (const auto alone = channel.no_hub_runs(); !alone) co_return alone.error();
    }
    const auto changed = will_poll ? co_await to_polling(client, channel) : co_await to_webhook(client, channel);
    if (!changed) co_return changed.error();
    co_return std::string{will_poll ? "The next start polls." : "The next start, or countersign reload, uses it."};
}

asio::awaitable<Result<void>> TelegramSetup::to_webhook(const TelegramClient& client,
                                                        ConfiguredChannel& channel) const {
    const auto url = channel.address(context_.option("--webhook"));
    if (!url) co_return url.error();
    if (const auto port = check_webhook_port(*url); !port) co_return port.error();
    const auto secret = channel.secret_or_new("webhook_secret_file", "telegram-webhook-secret");
    if (!secret) co_return secret.error();
    if (const auto right = security::check_telegram_secret(secret->value); !right) co_return right.error();
    const auto planned = channel.plan(
        {.set = {{"mode", "webhook"}, {"webhook_url", *url}, {"webhook_secret_file", secret->file}}, .remove = {}});
    if (!planned) co_return planned.error();
    if (const auto listens = channel.plan_listener(context_.option("--listen")); !listens) co_return listens.error();

    // First Telegram: an address that it does not take must not be in the configuration.
    const auto set = co_await done(client, set_webhook({.url = *url, .secret = secret->value.reveal()}));
    if (!set) co_return set.error();
    if (const auto written = channel.write(); !written) co_return written.error();
    const auto info = co_await webhook_info(client);
    if (!info) co_return info.error();
    context_.tell("Telegram brings the updates of this bot to " + info->url + "\n");
    const auto problems = webhook_problems(*info, {.url = *url, .path = {}}, context_.clock.wall());
    for (const auto& line : problems) context_.tell(line + "\n");
    if (problems.empty()) co_return Result<void>{};
    co_return Error{
        Errc::unavailable,
        "the webhook is set, and does not work yet; start the hub, which listens for it and says what is wrong"};
}

asio::awaitable<Result<void>> TelegramSetup::to_polling(const TelegramClient& client,
                                                        ConfiguredChannel& channel) const {
    const auto planned = channel.plan({.set = {}, .remove = {"mode", "webhook_url"}});
    if (!planned) co_return planned.error();
    const auto info = co_await webhook_info(client);
    if (!info) co_return info.error();
    const auto ours = channel.settings().text("webhook_url");
    const bool is_ours = ours.empty() ? info->url.ends_with("/webhooks/telegram/" + channel.name()) : info->url == ours;
    if (!info->url.empty() && !is_ours && !context_.force) {
        co_return Error{Errc::conflict, "Telegram brings the updates of this bot to " + info->url +
                                            ", which is none of ours; --force takes that away"};
    }
    if (!info->url.empty()) {
        if (const auto removed = co_await done(client, delete_webhook()); !removed) co_return removed.error();
        context_.tell("Telegram brings updates nowhere any more; the hub fetches them.\n");
        if (info->waiting > 0) context_.tell("Waiting to be fetched: " + std::to_string(info->waiting) + "\n");
    }
    if (const auto written = channel.write(); !written) co_return written.error();
    tell_unused(context_, "Polling", channel,
                {"webhook_secret_file", "previous_webhook_secret_file", "previous_until"});
    co_return Result<void>{};
}

constexpr SetupOption options[] = {
    {.name = "--base-url", .help = "The address of a Bot API server other than Telegram's"},
    {.name = "--webhook",
     .help = "Make Telegram deliver updates to your https address; also changes a bot that is configured "
             "already"},
    {.name = "--poll",
     .help = "Go back to polling, which needs no address: removes the webhook",
     .is_flag = true,
     .excludes = "--webhook"},
    {.name = "--listen",
     .help = "With --webhook: where this machine listens, behind a proxy that handles TLS (default: 127.0.0.1:8080)"}};

}  // namespace

constinit const SetupKind setup_kind{
    .title = "Telegram",
    .help = "Connect a bot, pair your account, send a test approval",
    .what = "the bot",
    .channel = "phone",
    .channel_help = "The name of the new channel (default: phone), or with --webhook and --poll the channel to change",
    .force_help = "Also removes a webhook that another program set",
    .footer =
        "docs/channels/telegram.md explains each step, beginning with how to create a bot. The command asks for the "
        "token; it can't be an argument, because other users could see it.\n\n"
        "Example: countersign setup telegram --person alice\n"
        "Later, with your own https address: countersign setup telegram --webhook https://your.host\n"
        "and back again: countersign setup telegram --poll",
    .options = options,
    .open = [](SetupContext context) -> std::unique_ptr<Setup> {
        return std::make_unique<TelegramSetup>(std::move(context));
    }};

Result<void> check_webhook_port(std::string_view address) {
    constexpr std::string_view https = "https://";
    if (!address.starts_with(https)) return {};  // this machine
    const auto rest = address.substr(https.size());
    const auto authority = rest.substr(0, rest.find('/'));
    const auto bracket = authority.rfind(']');
    const auto colon = authority.rfind(':');
    if (colon == authority.npos || (bracket != authority.npos && colon < bracket)) return {};
    constexpr std::array ports{"443", "80", "88", "8443"};
    if (std::ranges::find(ports, authority.substr(colon + 1)) != ports.end()) return {};
    return Error{Errc::bad_config,
                 "Telegram calls the ports 443, 80, 88 and 8443 only: take one of them, or a proxy that has one"};
}

}  // namespace countersign::channels::telegram
