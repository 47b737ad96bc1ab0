// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/terminal.hpp"
#include "app/channels/open.hpp"

namespace countersign::app {

namespace asio = boost::asio;
namespace terminal = channels::terminal;

namespace {

asio::awaitable<void> close(terminal::Terminal& screen) {
    screen.close();
    co_return;
}

}  // namespace

Result<void> open_terminal(Host& host, const ChannelConfig& channel, const ChannelChoices& choices) {
    const auto plain = channel.settings.find("plain");
    auto opened = terminal::Terminal::open(
        host.io.get_executor(),
        {.name = channel.name,
         .plain = choices.plain || (plain != channel.settings.end() && plain->second == "true"),
         .child_shares_terminal = choices.child_shares_terminal,
         .language = languages_of(host),
         .on_interrupt = [&host] { host.stop("Ctrl-C"); },
         .on_closed = [&host](const std::string& why) { host.stop(why); }},
        {.clock = host.bridge->clock(), .deliveries = host.bridge->hub(), .attempts = host.bridge->hub()});
    if (!opened) return opened.error();
    auto* screen = opened->get();
    host.bridge->hub().add_channel(*screen);
    host.channels.push_back(std::move(*opened));
    host.beside.emplace_back([screen] { return screen->run(); });
    host.ends.emplace_back([screen] { return close(*screen); });
    host.say = [screen](const std::string& line) { screen->say(line); };
    host.language = [screen] { return screen->language(); };
    return {};
}

}  // namespace countersign::app
