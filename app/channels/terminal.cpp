// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/terminal.hpp"
#include "app/channels/open.hpp"
#include "app/output.hpp"

#include <boost/asio/post.hpp>

#include <sys/stat.h>
#include <unistd.h>

namespace countersign::app {

namespace asio = boost::asio;
namespace terminal = channels::terminal;

namespace {

asio::awaitable<void> close(terminal::Terminal& screen) {
    screen.close();
    co_return;
}

// Whether what is written to the one appears where the other is: the same pipe, or two terminals, of which one may be
// known by another name.
bool same_place(int one, int other) {
    if (::isatty(one) == 1 && ::isatty(other) == 1) return true;
    struct stat first{};
    struct stat second{};
    return ::fstat(one, &first) == 0 && ::fstat(other, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

}  // namespace

asio::awaitable<void> run_alone(terminal::Terminal& screen, asio::any_io_executor executor) {
    const OutputDiversion diversion{{.out = true, .error = same_place(STDOUT_FILENO, STDERR_FILENO)},
                                    [&screen, executor](std::FILE* stream, std::string text) {
                                        asio::post(executor, [&screen, stream, text = std::move(text)] {
                                            if (!screen.say(text)) write_through(stream, text);
                                        });
                                    }};
    co_await screen.run();
}

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
        {.clock = host.bridge->clock(), .deliveries = host.bridge->hub().deliveries(), .attempts = host.bridge->hub()});
    if (!opened) return opened.error();
    auto* screen = opened->get();
    host.bridge->hub().add_channel(*screen);
    host.channels.push_back(std::move(*opened));
    host.beside.emplace_back([screen, &host] { return run_alone(*screen, host.io.get_executor()); });
    host.ends.emplace_back([screen] { return close(*screen); });
    host.say = [screen](const std::string& line) {
        if (!screen->say(line)) say_to_output(line);
    };
    host.quote = [screen](const std::string& speaker, const std::string& words) {
        if (!screen->quote(speaker, words)) quote_to_output(speaker, words);
    };
    host.language = [screen] { return screen->language(); };
    return {};
}

}  // namespace countersign::app
