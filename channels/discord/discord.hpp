// SPDX-License-Identifier: Apache-2.0
// Discord: a bot as a channel, by its Gateway or by a webhook.
//
// What it shows and reads is the ChatChannel's. Here is what only Discord has: the bot's token, the two ways that
// presses come in, the one answer that each must have in time, and the windows that a card opens. All on the owner's
// thread.
#pragma once

#include "channels/bot_link.hpp"
#include "channels/chat_channel.hpp"
#include "channels/discord/client.hpp"
#include "channels/discord/inbound.hpp"
#include "channels/discord/interactions.hpp"
#include "channels/discord/messenger.hpp"
#include "channels/discord/slots.hpp"
#include "channels/discord/socket.hpp"
#include "channels/discord/webhook.hpp"
#include "channels/platform.hpp"
#include "security/ed25519.hpp"
#include "security/secret.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign::channels::discord {

enum class Mode { gateway, webhook };

struct DiscordOptions {
    std::string name = "discord";
    security::Secret token = {};
    std::string public_key = {};   // of the app, needed by a webhook
    std::string application = {};  // that the token must be of; empty: any
    std::string base_url = "https://discord.com/api/v10";
    Mode mode = Mode::gateway;
    std::vector<std::string> handled = {};  // deliveries that changed something in the last run
    ChatPeople people = {};
    std::function<bool(const std::string& chat)> is_used = {};  // a chat that the configuration names on this channel
    std::function<std::vector<std::string>()> chats = {};       // all of those
    std::string guild = {};  // the server that has the slash commands; empty: they are everywhere
};

class Discord final : public Platform {
public:
    // Errc::missing_secret if the token, or the key that the mode needs, is absent; Errc::bad_config if it isn't a key
    // that may verify (I2).
    [[nodiscard]] static Result<std::unique_ptr<Discord>>
    open(const boost::asio::any_io_executor& executor, DiscordOptions options, PlatformPorts ports, Connect connect);

    [[nodiscard]] Channel& channel() override { return chat_; }
    [[nodiscard]] std::vector<InboundPath> inbound() override;
    boost::asio::awaitable<Result<void>> start() override;
    [[nodiscard]] std::string introduction() const override;
    boost::asio::awaitable<void> run() override;
    void stop_listening() override;
    boost::asio::awaitable<void> stop() override { return chat_.stop(); }
    [[nodiscard]] std::vector<std::string> unready() const override;
    [[nodiscard]] OutboxReport outbox(std::size_t chats_max) const override { return chat_.engine().report(chats_max); }
    [[nodiscard]] Result<std::function<void()>> prepare(const Settings& wanted) override;

    [[nodiscard]] ChatChannel& chat() { return chat_; }
    // What a front verified and read. The reply is there within discord_reply_max; a body that is empty is none.
    boost::asio::awaitable<Reply> take(Payload payload);

private:
    using Slot = std::shared_ptr<AnswerSlot>;

    Discord(const boost::asio::any_io_executor& executor, DiscordOptions options,
            std::optional<security::Ed25519PublicKey> key, PlatformPorts ports, const Connect& connect);

    boost::asio::awaitable<void> handle(Payload payload, Slot slot);
    boost::asio::awaitable<void> click(const Click& click, Slot slot);
    boost::asio::awaitable<void> submission(const Submission& submission, Slot slot);
    boost::asio::awaitable<void> answers(const Submission& submission, const Press& press, Slot slot);
    boost::asio::awaitable<void> hear(std::vector<Heard> heard);
    void message(const Message& message);

    [[nodiscard]] bool is_told_by_card(const Intent& intent) const;
    // A button of a question opens a window for answers in words; null where the press opens none.
    [[nodiscard]] Json window_of(const Press& press, const Intent& intent) const;
    [[nodiscard]] Ours ours() const { return {.bot = user_, .is_used = options_.is_used}; }
    // A card is about to be edited: a press on it that waits for its answer is answered with that.
    void card_goes_out(const Outgoing& call);

    [[nodiscard]] Result<void> know(const json::Object& application);
    boost::asio::awaitable<void> check_channels();
    [[nodiscard]] bool is_known(const std::string& principal) const;
    void problem(const std::string& line) const { chat_.problem(line); }

    DiscordOptions options_;
    PlatformPorts ports_;
    DiscordClient client_;
    Interactions interactions_;
    DiscordMessenger messenger_;
    ChatChannel chat_;
    BotLink link_;
    std::unique_ptr<DiscordWebhook> webhook_;
    std::unique_ptr<EventSocket> socket_;
    std::vector<Slot> waiting_;  // for an answer
    std::string user_;           // the bot's own; empty until Discord was reached
    std::string application_;
    std::string elsewhere_;  // why nothing comes in here, where the app's settings say so
};

}  // namespace countersign::channels::discord
