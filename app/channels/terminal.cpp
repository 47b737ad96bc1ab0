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

// Whether output to one descriptor appears at the other: the same pipe, or two terminals, because one terminal may have
// two names.
bool same_place(int one, int other) {
    if (::isatty(one) == 1 && ::isatty(other) == 1) return true;
    struct stat first{};
    struct stat second{};
    return ::fstat(one, &first) == 0 && ::fstat(other, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

class TerminalPart final : public Part {
public:
    TerminalPart(asio::any_io_executor executor, std::unique_ptr<terminal::Terminal> screen)
        : executor_{std::move(executor)}, screen_{std::move(screen)} {}

    asio::awaitable<void> run() override {
        const OutputDiversion diversion{{.out = true, .error = same_place(STDOUT_FILENO, STDERR_FILENO)},
                                        [this](std::FILE* stream, std::string text) {
                                            asio::post(executor_, [this, stream, text = std::move(text)] {
                                                if (!screen_->say(text)) write_through(stream, text);
                                            });
                                        }};
        co_await screen_->run();
    }
    asio::awaitable<void> finish() override {
        screen_->close();
        co_return;
    }

private:
    asio::any_io_executor executor_;
    std::unique_ptr<terminal::Terminal> screen_;
};

}  // namespace

Result<terminal::Terminal*> add_terminal(Host& host, terminal::TerminalOptions options) {
    auto& hub = host.bridge->hub();
    auto opened =
        terminal::Terminal::open(host.io.get_executor(), std::move(options),
                                 {.clock = host.bridge->clock(), .deliveries = hub.deliveries(), .attempts = hub});
    if (!opened) return opened.error();
    auto* screen = opened->get();
    hub.add_channel(*screen);
    host.parts.push_back(std::make_unique<TerminalPart>(host.io.get_executor(), std::move(*opened)));
    return screen;
}

Result<void> open_terminal(Host& host, const ChannelConfig& channel, const ChannelChoices& choices) {
    const auto plain = channel.settings.find("plain");
    const auto opened =
        add_terminal(host, {.name = channel.name,
                            .plain = choices.plain || (plain != channel.settings.end() && plain->second == "true"),
                            .child_shares_terminal = choices.child_shares_terminal,
                            .language = languages_of(host),
                            .on_interrupt = [&host] { host.stop("Ctrl-C"); },
                            .on_closed = [&host](const std::string& why) { host.stop(why); }});
    if (!opened) return opened.error();
    auto* screen = *opened;
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
