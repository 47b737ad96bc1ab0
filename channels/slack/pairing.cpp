// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/pairing.hpp"

#include "channels/slack/bounds.hpp"
#include "channels/slack/render.hpp"

#include <boost/asio/this_coro.hpp>

#include <memory>
#include <utility>

namespace countersign::channels::slack {

namespace asio = boost::asio;

namespace {

class SlackPairing final : public SocketPairing {
public:
    SlackPairing(const asio::any_io_executor& executor, PairingPorts ports, std::string bot_user,
                 PairingTerminal terminal)
        : SocketPairing{executor, ports.clock, std::move(terminal), ports.tell},
          ports_{std::move(ports)},
          bot_user_{std::move(bot_user)},
          socket_{ports_.app, ports_.connect, ports_.clock, ports_.ids, tasks(), handler()} {}

private:
    SocketMode::Handler handler() {
        return {
            .take = [this](Payload payload, std::shared_ptr<ReplySlot> /*slot*/) { return take(std::move(payload)); },
            .on_problem = [this](const std::string& line) { tell(line + "\n"); },
            .on_refused =
                [this] { refuse({Errc::bad_config, "Slack does not take the connection; see the line above"}); },
            .on_greeted = [this](std::size_t connections) { look_for_others(connections); },
            .on_acknowledged = [this] { answered(); }};
    }

    void start() override { socket_.start(); }
    void stop() override { socket_.stop(); }
    [[nodiscard]] std::size_t in_hand() const override { return socket_.in_hand(); }
    [[nodiscard]] std::string_view doubt() const override {
        return "Nothing at all came from Slack: are both tokens of the same app, and was it made from the manifest?";
    }

    // Slack gives each envelope to one connection, of whatever program.
    void look_for_others(std::size_t connections) {
        if (connections <= limits::slack_sockets || std::exchange(told_of_others_, true)) return;
        tell("Another program is connected to this app, and Slack may bring your message to it instead. End it if the "
             "code is not taken.\n");
    }

    asio::awaitable<Reply> take(Payload payload) {
        Reply reply;
        if (const auto* said = std::get_if<Message>(&payload)) {
            if (said->by.user != bot_user_) message(*said);
        } else if (const auto* slash = std::get_if<Slash>(&payload)) {
            const auto answer = hear_command(slash->text, person(slash->by, slash->user_name));
            reply = command_reply(Phrase{}.plain(answer));
        }
        co_return reply;
    }

    void message(const Message& said) {
        const bool by_person = said.bot.empty();
        hear({.what = {.text = said.text, .direct = said.direct, .own = by_person && !said.edited},
              .chat = said.chat,
              .by_person = by_person},
             person(said.by));
    }

    static Paired person(const Actor& actor, std::string name = {}) {
        constexpr std::string_view prefix = "slack:";
        return {.id = actor.principals.front().substr(prefix.size()), .name = std::move(name)};
    }

    asio::awaitable<void> write_to(std::string chat, std::string_view words) override {
        static_cast<void>(co_await ports_.bot.call(message_of({.chat = std::move(chat)}, Phrase{}.plain(words))));
    }

    PairingPorts ports_;
    std::string bot_user_;
    SocketMode socket_;
    bool told_of_others_ = false;
};

}  // namespace

asio::awaitable<Result<Paired>> pair(PairingPorts ports, std::string bot_user, PairingTerminal terminal) {
    SlackPairing pairing{co_await asio::this_coro::executor, std::move(ports), std::move(bot_user),
                         std::move(terminal)};
    co_return co_await pairing.run();
}

}  // namespace countersign::channels::slack
