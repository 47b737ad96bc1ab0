// SPDX-License-Identifier: Apache-2.0
#include "app/setup/telegram_switch.hpp"
#include "app/channels/registry.hpp"

#include "app/commands/input.hpp"
#include "app/config/config.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/setup/telegram_files.hpp"
#include "app/setup/telegram_webhook.hpp"
#include "app/system_clock.hpp"
#include "audit/state_directory.hpp"
#include "net/http_client.hpp"
#include "security/encoding.hpp"
#include "security/secret_file.hpp"
#include "security/webhook_signature.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <filesystem>

namespace countersign::app {

namespace asio = boost::asio;
namespace fs = std::filesystem;
namespace telegram = channels::telegram;

namespace {

std::string setting(const ChannelConfig& channel, const std::string& name) {
    const auto found = channel.settings.find(name);
    return found == channel.settings.end() ? std::string{} : found->second;
}

Result<Configuration> configuration_in(const std::string& file) {
    auto loaded = load_config(file, known_kinds());
    if (const auto* problems = std::get_if<std::vector<ConfigProblem>>(&loaded)) {
        for (const auto& problem : *problems) tell("{}\n", print(problem));
        return Error{Errc::bad_config, file + ": invalid configuration"};
    }
    return std::get<Configuration>(std::move(loaded));
}

Result<ChannelConfig> channel_of(const Configuration& configuration, const std::string& wanted) {
    const ChannelConfig* found = nullptr;
    for (const auto& [name, channel] : configuration.channels) {
        if (channel.kind != "telegram" || (!wanted.empty() && name != wanted)) continue;
        if (found != nullptr) return Error{Errc::bad_config, "there are several bots: say which with --channel NAME"};
        found = &channel;
    }
    if (found == nullptr) return Error{Errc::bad_config, "the configuration has no such channel of kind telegram"};
    return *found;
}

// One bot, and the calls to it one after the other.
class Bot {
public:
    static Result<Bot> of(const ChannelConfig& channel) {
        auto token = security::find_secret(setting(channel, "token_file"), security::credentials_directory());
        if (!token) return token.error();
        if (const auto holds = telegram::check_token(*token); !holds) return holds.error();
        const auto url = setting(channel, "base_url");
        return Bot{url.empty() ? "https://api.telegram.org" : url, std::move(*token)};
    }

    template <class Value, class Make> Result<Value> ask(Make make) const {
        asio::io_context io{1};
        net::CurlHttpClient http{io.get_executor()};
        const telegram::TelegramClient client{http, base_url_, token_.duplicate()};
        Result<Value> outcome = Error{Errc::internal, "Telegram was not asked"};
        asio::co_spawn(io, make(client), [&](const std::exception_ptr& failed, Result<Value> result) {
            leave_if_broken(failed);
            outcome = std::move(result);
        });
        io.run();
        return outcome;
    }
    [[nodiscard]] Result<telegram::WebhookInfo> info() const {
        return ask<telegram::WebhookInfo>([](const auto& client) { return setup::webhook_info(client); });
    }

private:
    Bot(std::string base_url, security::Secret token) : base_url_{std::move(base_url)}, token_{std::move(token)} {}
    std::string base_url_;
    security::Secret token_;
};

// The one that is there, or a new one in a file of its own beside the configuration.
struct WebhookSecret {
    security::Secret value;
    std::string file;
};
Result<WebhookSecret> secret_of(const ChannelConfig& channel, const std::string& config) {
    auto file = setting(channel, "webhook_secret_file");
    if (file.empty()) file = (fs::path{config}.parent_path() / "telegram-webhook-secret").string();
    std::error_code ignored;
    if (file.starts_with('/') && !fs::exists(fs::symlink_status(file, ignored))) {
        constexpr std::size_t bytes = 32;
        const auto made = security::hex(security::Secret::random(bytes).bytes());
        if (const auto written = setup::write_private(file, made, false); !written) return written.error();
        tell("Wrote a new secret to {}, readable by you alone.\n", file);
    }
    auto secret = security::find_secret(file, security::credentials_directory());
    if (!secret) return secret.error();
    if (const auto holds = security::check_telegram_secret(*secret); !holds) return holds.error();
    return WebhookSecret{.value = std::move(*secret), .file = std::move(file)};
}

// What was written by hand is not written anew: only if it still reads as what was wanted.
Result<void> write_configuration(const WebhookSwitch& wanted, const std::string& old, const std::string& text,
                                 const setup::ChannelChange& change) {
    const auto& file = wanted.config;
    if (text == old) return {};
    auto parsed = parse_config(text, file, known_kinds());
    const auto* configuration = std::get_if<Configuration>(&parsed);
    const auto* channel = configuration == nullptr ? nullptr : &configuration->channels.at(change.channel);
    const bool holds =
        channel != nullptr &&
        std::ranges::all_of(change.set, [&](const auto& one) { return setting(*channel, one.first) == one.second; }) &&
        std::ranges::all_of(change.remove, [&](const auto& key) { return !channel->settings.contains(key); });
    if (!holds) {
        std::string lines = "[channels." + change.channel + "]";
        for (const auto& [key, value] : change.set) lines += "\n" + key + " = \"" + value + '"';
        return Error{Errc::unsupported, file + " cannot be changed by us; write into it:\n" + lines};
    }
    if (wanted.keep_old) {
        if (const auto kept = keep_old_configuration(file); !kept) return kept;
    }
    if (const auto written = setup::write_private(file, text, true); !written) return written;
    tell("Wrote {}.\n", file);
    return {};
}

Result<void> to_webhook(const WebhookSwitch& wanted, const Configuration& configuration, const ChannelConfig& channel,
                        const Bot& bot) {
    const auto url = setup::webhook_address(wanted.url, channel.name);
    if (!url) return url.error();
    auto secret = secret_of(channel, wanted.config);
    if (!secret) return secret.error();
    const auto old = read_file(wanted.config);
    if (!old) return old.error();
    const setup::ChannelChange change{
        .channel = channel.name,
        .set = {{"mode", "webhook"}, {"webhook_url", *url}, {"webhook_secret_file", secret->file}},
        .remove = {}};
    const bool as_it_is =
        std::ranges::all_of(change.set, [&](const auto& one) { return setting(channel, one.first) == one.second; });
    auto text = as_it_is ? Result<std::string>{*old} : setup::with_settings(*old, change);
    if (!text) return text.error();
    text = setup::with_listener(std::move(*text), configuration.gateway.listen, wanted.listen);
    if (!text) return text.error();

    // First Telegram: an address that it does not take must not stand in the configuration.
    const auto set = bot.ask<void>([&](const telegram::TelegramClient& client) {
        return setup::set_webhook(client, *url, secret->value.duplicate());
    });
    if (!set) return set.error();
    if (const auto written = write_configuration(wanted, *old, *text, change); !written) return written;
    const auto info = bot.info();
    if (!info) return info.error();
    tell("Telegram brings the updates of this bot to {}\n", info->url);
    const auto problems = telegram::webhook_problems(*info, {.url = *url, .path = {}}, SystemClock{}.wall());
    for (const auto& line : problems) tell("{}\n", line);
    if (!problems.empty()) {
        return Error{
            Errc::unavailable,
            "the webhook is set, and does not work yet; start the hub, which listens for it and says what is wrong"};
    }
    return {};
}

void say_what_is_left(const WebhookSwitch& wanted, const Configuration& configuration, const std::string& channel) {
    const auto unused = setup::unused_when_polling(configuration, channel);
    if (unused.empty()) return;
    tell("Left in {}, and not used while the bot is polled: {}. Take it out by hand if nothing else of yours needs "
         "it.\n",
         wanted.config, fmt::join(unused, ", "));
}

Result<void> to_polling(const WebhookSwitch& wanted, const Configuration& configuration, const ChannelConfig& channel,
                        const Bot& bot) {
    const auto old = read_file(wanted.config);
    if (!old) return old.error();
    const setup::ChannelChange change{.channel = channel.name, .set = {}, .remove = {"mode", "webhook_url"}};
    const auto text = setup::with_settings(*old, change);
    if (!text) return text.error();
    const auto info = bot.info();
    if (!info) return info.error();
    const auto ours = setting(channel, "webhook_url");
    const bool is_ours = ours.empty() ? info->url.ends_with("/webhooks/telegram/" + channel.name) : info->url == ours;
    if (!info->url.empty() && !is_ours && !wanted.force) {
        return Error{Errc::conflict, "Telegram brings the updates of this bot to " + info->url +
                                         ", which is none of ours; --force takes that away"};
    }
    if (!info->url.empty()) {
        const auto removed =
            bot.ask<void>([](const telegram::TelegramClient& client) { return setup::remove_webhook(client); });
        if (!removed) return removed;
        tell("Telegram brings updates nowhere any more; the hub fetches them.\n");
        if (info->waiting > 0) tell("Waiting to be fetched: {}\n", info->waiting);
    }
    if (const auto written = write_configuration(wanted, *old, *text, change); !written) return written;
    say_what_is_left(wanted, configuration, channel.name);
    return {};
}

}  // namespace

Result<void> no_hub_runs(const std::string& state) {
    std::error_code ignored;
    if (!fs::exists(state, ignored)) return {};
    const auto directory = audit::StateDirectory::open(state);
    if (directory) return {};
    if (directory.error().code != Errc::busy) return directory.error();
    return Error{Errc::busy, directory.error().detail + ": end it first, or give another --state"};
}

Result<void> keep_old_configuration(const std::string& config) {
    const auto kept = setup::keep_copy(config);
    if (!kept) return kept.error();
    if (!kept->empty()) tell("What was in {} is in {} now.\n", config, *kept);
    return {};
}

Result<void> switch_updates(const WebhookSwitch& wanted) {
    const auto configuration = configuration_in(wanted.config);
    if (!configuration) return configuration.error();
    const auto channel = channel_of(*configuration, wanted.channel);
    if (!channel) return channel.error();
    const auto bot = Bot::of(*channel);
    if (!bot) return bot.error();
    // A hub that runs has its way of taking updates; only a secret or an address may change under it.
    const bool polls = setting(*channel, "mode") != "webhook";
    if (polls != wanted.url.empty()) {
        if (auto alone = no_hub_runs(wanted.state); !alone) return alone;
    }
    if (wanted.url.empty()) return to_polling(wanted, *configuration, *channel, *bot);
    return to_webhook(wanted, *configuration, *channel, *bot);
}

}  // namespace countersign::app
