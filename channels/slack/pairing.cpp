// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/pairing.hpp"

#include "channels/slack/bounds.hpp"
#include "channels/slack/render.hpp"
#include "core/hub/task_group.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace countersign::channels::slack {

namespace asio = boost::asio;

namespace {

constexpr std::string_view what_to_write = "Send the code that your terminal shows.";

class SlackPairing {
public:
    SlackPairing(const asio::any_io_executor& executor, PairingPorts ports, std::string bot_user,
                 PairingTerminal terminal)
        : ports_{std::move(ports)},
          bot_user_{std::move(bot_user)},
          changed_{executor, asio::steady_timer::time_point::max()},
          tasks_{executor, [this](const std::string& what) { ports_.tell(what + "\n"); }},
          pairing_{ports_.clock, std::move(terminal)},
          socket_{ports_.app, ports_.connect, ports_.clock, ports_.ids, tasks_, handler()} {}

    asio::awaitable<Result<Paired>> run() {
        socket_.start();
        tasks_.spawn(wake_at_the_end());
        while (!is_done()) {
            boost::system::error_code woken;
            co_await changed_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        }
        if (paired_ && !chat_.empty()) co_await write_to(chat_, paired_words);
        socket_.stop();
        tasks_.cancel();
        co_await tasks_.join();
        if (paired_) co_return std::move(*paired_);
        if (refused_) co_return Error{Errc::bad_config, "Slack does not take the connection; see the line above"};
        auto late = pairing_timeout();
        if (!heard_) {
            late.detail +=
                ". Nothing at all came from Slack: are both tokens of the same app, and was it made from the "
                "manifest?";
        }
        co_return late;
    }

private:
    SocketMode::Handler handler() {
        return {
            .take = [this](Payload payload, std::shared_ptr<ReplySlot> /*slot*/) { return take(std::move(payload)); },
            .on_problem = [this](const std::string& line) { ports_.tell(line + "\n"); },
            .on_refused =
                [this] {
                    refused_ = true;
                    changed_.cancel();
                },
            .on_greeted = [this](std::size_t connections) { look_for_others(connections); },
            .on_acknowledged = [this] { changed_.cancel(); }};
    }

    // What is not acknowledged would be brought to the hub that starts next.
    [[nodiscard]] bool is_done() const { return (paired_ && socket_.in_hand() == 0) || refused_ || pairing_.is_over(); }

    asio::awaitable<void> wake_at_the_end() {
        while (!pairing_.is_over()) co_await ports_.clock.sleep_until(pairing_.ends());  // a new code ends later
        changed_.cancel();
    }

    // Slack gives each envelope to one connection, of whatever program.
    void look_for_others(std::size_t connections) {
        if (connections <= limits::slack_sockets || std::exchange(told_of_others_, true)) return;
        ports_.tell(
            "Another program is connected to this app, and Slack may bring your message to it instead. End it if the "
            "code is not taken.\n");
    }

    asio::awaitable<Reply> take(Payload payload) {
        Reply reply;
        if (const auto* said = std::get_if<Message>(&payload)) {
            message(*said);
        } else if (const auto* slash = std::get_if<Slash>(&payload)) {
            reply = command_reply(Phrase{}.plain(command(*slash)));
        }
        co_return reply;
    }

    void message(const Message& said) {
        if (said.by.user == bot_user_) return;
        heard_ = true;
        const bool by_person = said.bot.empty();
        const auto heard = pairing_.hear({.text = said.text, .direct = said.direct, .own = by_person && !said.edited});
        if (heard == Pairing::Heard::paired) {
            chat_ = said.chat;
            finish(said.by, {});
        } else if (heard == Pairing::Heard::needs_code && by_person) {
            tasks_.spawn(write_to(said.chat, what_to_write));
        }
    }

    // What a slash command says, only Slack and we have read.
    std::string_view command(const Slash& slash) {
        heard_ = true;
        const auto heard = pairing_.hear({.text = slash.text, .direct = true});
        if (heard != Pairing::Heard::paired) return what_to_write;
        finish(slash.by, slash.user_name);
        return paired_words;
    }

    void finish(const Actor& by, std::string name) {
        constexpr std::string_view prefix = "slack:";
        paired_ = Paired{.id = by.principals.front().substr(prefix.size()), .name = std::move(name)};
        changed_.cancel();
    }

    // A courtesy: whether it arrives changes nothing.
    asio::awaitable<void> write_to(std::string chat, std::string_view words) {
        static_cast<void>(co_await ports_.bot.call(message_of({.chat = std::move(chat)}, Phrase{}.plain(words))));
    }

    PairingPorts ports_;
    std::string bot_user_;
    asio::steady_timer changed_;  // cancelled when there is something to look at
    TaskGroup tasks_;
    Pairing pairing_;
    SocketMode socket_;
    std::optional<Paired> paired_;
    std::string chat_;  // the direct messages of the person who was paired there
    bool refused_ = false;
    bool heard_ = false;
    bool told_of_others_ = false;
};

}  // namespace

asio::awaitable<Result<Paired>> pair(PairingPorts ports, std::string bot_user, PairingTerminal terminal) {
    SlackPairing pairing{co_await asio::this_coro::executor, std::move(ports), std::move(bot_user),
                         std::move(terminal)};
    co_return co_await pairing.run();
}

}  // namespace countersign::channels::slack
