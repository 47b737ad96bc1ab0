// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/telegram.hpp"
#include "app/channels/memory.hpp"
#include "app/channels/open.hpp"
#include "app/channels/telegram_settings.hpp"
#include "net/http_client.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>

namespace countersign::app {

namespace asio = boost::asio;
namespace telegram = channels::telegram;

namespace {

// Lives as long as the bot that reports to it.
struct Memory final : Service {
    explicit Memory(ChannelMemory opened) : kept{std::move(opened)} {}
    ChannelMemory kept;
};

struct Bot final : Service {
    explicit Bot(std::unique_ptr<telegram::Telegram> opened) : kept{std::move(opened)} {}
    std::unique_ptr<telegram::Telegram> kept;
};

void not_remembered(const Host& host, const Error& why) {
    host.say("what Telegram sent could not be remembered for the next start: " + describe(why));
}

void remember(telegram::TelegramOptions& options, const Host& host, ChannelMemory& memory) {
    options.offset = memory.offset();
    options.handled = host.bridge->handled_by(options.name);
    options.moved = {memory.moved().begin(), memory.moved().end()};
    options.caught_up = memory.caught_up();
    options.on_caught_up = [&memory](WallTime now) { memory.catch_up(now); };
    options.on_confirmed = [&memory](std::int64_t offset) { memory.confirm(offset); };
    options.on_moved = [&memory, &host](const std::string& from, const std::string& to) {
        if (const auto moved = memory.move(from, to); !moved) not_remembered(host, moved.error());
    };
}

bool is_used(const Configuration& configuration, const std::string& channel, const std::string& chat) {
    const auto names_it = [&](const auto& place) { return place.channel == channel && place.chat == chat; };
    return std::ranges::any_of(configuration.log_anchors, names_it) ||
           std::ranges::any_of(configuration.routes,
                               [&](const Route& route) { return std::ranges::any_of(route.steps, names_it); });
}

// Its secrets, as the files have them now. Another token is another bot.
Result<std::function<void()>> new_secrets(telegram::Telegram& bot, const ChannelConfig& channel, WallTime now) {
    const auto named = [&](const Error& error) {
        return Error{error.code, "channel " + channel.name + ": " + error.detail};
    };
    const auto options = telegram_settings(channel, now);
    if (!options) return named(options.error());
    if (!bot.calls_with(options->token)) {
        return Error{Errc::bad_config,
                     "channel " + channel.name + ": the bot's token is another: this needs a restart"};
    }
    auto secrets = telegram::webhook_secrets(*options);
    if (!secrets) return named(secrets.error());
    const auto kept = std::make_shared<security::SecretRing>(std::move(*secrets));
    return std::function<void()>{[&bot, kept] { bot.trust(std::move(*kept)); }};
}

asio::awaitable<void> stop_listening(telegram::Telegram& bot) {
    bot.stop_listening();
    co_return;
}

asio::awaitable<void> keep_the_rest(const Host& host, ChannelMemory& memory) {
    if (const auto kept = memory.flush(); !kept) not_remembered(host, kept.error());
    co_return;
}

// The one question that must be answered before anything else starts: does Telegram know this bot?
Result<void> ask_who_we_are(Host& host, telegram::Telegram& bot) {
    Result<void> known = Error{Errc::internal, "Telegram was not asked"};
    bool answered = false;
    asio::co_spawn(host.io, bot.start(), [&](const std::exception_ptr& failed, Result<void> answer) {
        if (failed) std::rethrow_exception(failed);
        known = std::move(answer);
        answered = true;
    });
    // Not until the loop is empty: the client keeps its connection, and a timer for it.
    while (!answered && host.io.run_one() > 0) {}
    if (host.io.stopped()) host.io.restart();
    if (known || known.error().code != Errc::unavailable) return known;
    return {};  // the channel said so itself, and tries again
}

std::string introduction(const ChannelConfig& channel, telegram::Telegram& bot) {
    const auto name = bot.bot().empty() ? std::string{"a bot that Telegram has not named yet"} : bot.bot();
    const auto url = channel.settings.find("webhook_url");
    const auto address = url == channel.settings.end() ? std::string{} : " " + url->second;
    return "channel " + channel.name + ": " + name + (bot.webhook() == nullptr ? ", polling" : ", webhook" + address);
}

}  // namespace

Result<void> open_telegram(Host& host, const ChannelConfig& channel, const ChannelChoices&) {
    auto options = telegram_settings(channel, host.bridge->clock().wall());
    if (!options) return options.error();
    const auto failed = [&host](const Error& why) { asio::post(host.io, [&host, why] { not_remembered(host, why); }); };
    auto memory = ChannelMemory::open(host.bridge->state(), channel.name, failed);
    if (!memory) return memory.error();
    auto kept = std::make_unique<Memory>(std::move(*memory));
    auto& remembered = kept->kept;
    remember(*options, host, remembered);
    host.services.push_back(std::move(kept));
    auto* bridge = host.bridge.get();
    options->people.is_known = [bridge](const std::string& principal) {
        return bridge->configuration().person_of(principal) != nullptr;
    };
    options->people.person = [bridge](const std::string& principal) {
        const auto* person = bridge->configuration().person_of(principal);
        return person == nullptr ? std::string{} : person->name;
    };
    options->people.language = languages_of(host);
    options->is_used = [bridge, name = channel.name](const std::string& chat) {
        return is_used(bridge->configuration(), name, chat);
    };
    options->people.on_problem = [&host](const std::string& line) { host.say(line); };
    if (!host.http) host.http = std::make_unique<net::CurlHttpClient>(host.io.get_executor());
    auto opened = telegram::Telegram::open(host.io.get_executor(), std::move(*options),
                                           {.http = *host.http,
                                            .clock = bridge->clock(),
                                            .ids = bridge->ids(),
                                            .deliveries = bridge->hub().deliveries(),
                                            .attempts = bridge->hub(),
                                            .open = bridge->hub().queries(),
                                            .tokens = bridge->tokens(),
                                            .codes = bridge->codes()});
    if (!opened) return opened.error();
    auto* running = opened->get();
    if (const auto known = ask_who_we_are(host, *running); !known) return known;
    host.introductions.push_back(introduction(channel, *running));
    host.unready.emplace_back([running] { return running->unready(); });
    host.outboxes.push_back(
        {.channel = channel.name, .report = [running](std::size_t chats_max) { return running->outbox(chats_max); }});
    host.reloads.emplace_back([running, bridge, name = channel.name](const Configuration& wanted) {
        return new_secrets(*running, wanted.channels.at(name), bridge->clock().wall());
    });
    if (auto* webhook = running->webhook()) {
        host.webhooks.push_back({.kind = "telegram", .channel = channel.name, .inbound = webhook});
    }
    bridge->hub().add_channel(running->chat());
    host.services.push_back(std::make_unique<Bot>(std::move(*opened)));
    host.beside.emplace_back([running] { return running->run(); });
    host.fronts_end.emplace_back([running] { return stop_listening(*running); });
    host.ends.emplace_back([running] { return running->stop(); });
    host.ends.emplace_back([&host, &remembered] { return keep_the_rest(host, remembered); });
    return {};
}

}  // namespace countersign::app
