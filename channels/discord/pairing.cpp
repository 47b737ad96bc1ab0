// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/pairing.hpp"

#include "channels/discord/commands.hpp"
#include "channels/discord/render.hpp"
#include "core/json/members.hpp"

#include <boost/asio/this_coro.hpp>

#include <utility>
#include <variant>

namespace countersign::channels::discord {

namespace asio = boost::asio;

namespace {

class DiscordPairing final : public SocketPairing {
public:
    DiscordPairing(const asio::any_io_executor& executor, PairingPorts ports, std::string base_url, std::string bot,
                   PairingTerminal terminal)
        : SocketPairing{executor, ports.clock, std::move(terminal), ports.tell},
          ports_{std::move(ports)},
          bot_{std::move(bot)},
          socket_{ports_.client, std::move(base_url), ports_.connect, ports_.clock, ports_.ids, tasks(), handler()} {}

private:
    EventSocket::Handler handler() {
        return {.take = [this](Payload payload) { return take(std::move(payload)); },
                .on_problem = [this](const std::string& line) { tell(line + "\n"); },
                .on_refused = [this](const std::string& why) { refuse({Errc::bad_config, why}); },
                .on_answered = [this] { answered(); }};
    }

    void start() override { socket_.start(); }
    void stop() override { socket_.stop(); }
    [[nodiscard]] std::size_t in_hand() const override { return socket_.unanswered(); }
    [[nodiscard]] std::string_view doubt() const override {
        return "Nothing at all came from Discord: did you write to this bot, and does your server allow direct "
               "messages from its members?";
    }

    asio::awaitable<Reply> take(Payload payload) {
        Reply reply;
        if (const auto* said = std::get_if<Message>(&payload)) {
            if (said->user != bot_) message(*said);
        } else if (const auto* slash = std::get_if<Slash>(&payload)) {
            const auto answer = hear_command(words_of(*slash), {.id = slash->at.user, .name = {}});
            reply = command_reply(Phrase{}.plain(answer));
        }
        co_return reply;
    }

    // "/countersign start CODE", and the code alone.
    static std::string words_of(const Slash& slash) { return command_text(slash).substr(1); }

    void message(const Message& said) {
        hear({.what = {.text = said.text, .direct = true, .own = !said.by_bot && !said.forwarded && !said.edited},
              .chat = said.chat,
              .by_person = !said.by_bot},
             {.id = said.user, .name = {}});
    }

    asio::awaitable<void> write_to(std::string chat, std::string_view words) override {
        static_cast<void>(co_await ports_.client.call(message_of({.chat = std::move(chat)}, Phrase{}.plain(words))));
    }

    PairingPorts ports_;
    std::string bot_;
    EventSocket socket_;
};

// Empty if Discord doesn't tell.
asio::awaitable<std::string> name_of_user(DiscordClient& client, std::string user) {
    const auto reply = co_await client.call(get_user(user));
    const auto* answer = std::get_if<ApiAnswer>(&reply);
    if (answer == nullptr) co_return std::string{};
    auto shown = json::text_of(answer->object, "global_name");
    co_return shown.empty() ? json::text_of(answer->object, "username") : shown;
}

}  // namespace

asio::awaitable<Result<Paired>> pair(PairingPorts ports, std::string base_url, std::string bot,
                                     PairingTerminal terminal) {
    auto& client = ports.client;
    DiscordPairing pairing{co_await asio::this_coro::executor, std::move(ports), std::move(base_url), std::move(bot),
                           std::move(terminal)};
    auto paired = co_await pairing.run();
    if (paired) paired->name = co_await name_of_user(client, paired->id);
    co_return paired;
}

}  // namespace countersign::channels::discord
