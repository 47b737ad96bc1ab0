// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/telegram.hpp"
#include "app/channels/memory.hpp"
#include "app/channels/open.hpp"
#include "app/channels/telegram_settings.hpp"
#include "net/http_client.hpp"

#include <boost/asio/co_spawn.hpp>

namespace countersign::app {

namespace asio = boost::asio;
namespace telegram = channels::telegram;

namespace {

// Lives as long as the bot that reports to it.
struct Memory final : Service {
    explicit Memory(ChannelMemory opened) : kept{std::move(opened)} {}
    ChannelMemory kept;
};

void keep(const Host& host, const Result<void>& kept) {
    if (!kept) host.say("an update could not be remembered: " + describe(kept.error()));
}

void remember(telegram::TelegramOptions& options, const Host& host, ChannelMemory& memory) {
    options.offset = memory.offset();
    options.handled = {memory.handled().begin(), memory.handled().end()};
    options.moved = {memory.moved().begin(), memory.moved().end()};
    options.on_confirmed = [&memory](std::int64_t offset) { memory.confirm(offset); };
    options.on_handled = [&memory, &host](std::int64_t update) { keep(host, memory.handle(update)); };
    options.on_moved = [&memory, &host](const std::string& from, const std::string& to) {
        keep(host, memory.move(from, to));
    };
}

// The one question that must be answered before anything else starts: does Telegram know this bot?
Result<void> ask_who_we_are(Host& host, telegram::Telegram& bot) {
    Result<void> known = Error{Errc::internal, "Telegram was not asked"};
    asio::co_spawn(host.io, bot.start(), [&](const std::exception_ptr& failed, Result<void> answer) {
        if (failed) std::rethrow_exception(failed);
        known = std::move(answer);
    });
    host.io.run();
    host.io.restart();
    if (known || known.error().code != Errc::unavailable) return known;
    host.say("Telegram was not reached, and is tried again: " + describe(known.error()));
    return {};
}

}  // namespace

Result<void> open_telegram(Host& host, const ChannelConfig& channel, const ChannelChoices&) {
    auto options = telegram_settings(channel);
    if (!options) return options.error();
    auto memory = ChannelMemory::open(host.bridge->state(), channel.name);
    if (!memory) return memory.error();
    auto kept = std::make_unique<Memory>(std::move(*memory));
    remember(*options, host, kept->kept);
    host.services.push_back(std::move(kept));
    auto* bridge = host.bridge.get();
    options->is_known = [bridge](const std::string& principal) {
        return bridge->configuration().person_of(principal) != nullptr;
    };
    options->on_problem = [&host](const std::string& line) { host.say(line); };
    if (!host.http) host.http = std::make_unique<net::CurlHttpClient>(host.io.get_executor());
    auto opened = telegram::Telegram::open(host.io.get_executor(), std::move(*options),
                                           {.http = *host.http,
                                            .clock = bridge->clock(),
                                            .ids = bridge->ids(),
                                            .deliveries = bridge->hub(),
                                            .attempts = bridge->hub(),
                                            .open = bridge->hub(),
                                            .tokens = bridge->tokens(),
                                            .codes = bridge->codes()});
    if (!opened) return opened.error();
    auto* running = opened->get();
    if (const auto known = ask_who_we_are(host, *running); !known) return known;
    if (auto* webhook = running->webhook()) {
        host.webhooks.push_back({.kind = "telegram", .channel = channel.name, .inbound = webhook});
    }
    bridge->hub().add_channel(*running);
    host.channels.push_back(std::move(*opened));
    host.beside.emplace_back([running] { return running->run(); });
    host.ends.emplace_back([running] { return running->stop(); });
    return {};
}

}  // namespace countersign::app
