// SPDX-License-Identifier: Apache-2.0
// Telegram: a bot as a channel, by long polling or by a webhook.
//
// What it shows and reads is the ChatChannel's. Here is what only Telegram has: the bot's token, the two ways that
// updates come in, the menu of commands, groups that move. All on the owner's thread.
#pragma once

#include "channels/bot_link.hpp"
#include "channels/chat_channel.hpp"
#include "channels/platform.hpp"
#include "channels/telegram/bounds.hpp"
#include "channels/telegram/client.hpp"
#include "channels/telegram/messenger.hpp"
#include "channels/telegram/poller.hpp"
#include "channels/telegram/webhook.hpp"
#include "channels/webhook_secrets.hpp"
#include "core/ports/attempts.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/http_client.hpp"
#include "core/ports/ids.hpp"
#include "core/ports/inbound.hpp"
#include "core/ports/open_requests.hpp"
#include "security/secret.hpp"
#include "security/secret_ring.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace countersign::limits {

inline constexpr unsigned telegram_menu_tries_max = 5;  // for each language

}  // namespace countersign::limits

namespace countersign::channels::telegram {

enum class Mode { poll, webhook };

using channels::Starting;

struct TelegramOptions {
    std::string name = "telegram";
    security::Secret token = {};
    WebhookSecrets secrets = {};   // needed in webhook mode
    std::string webhook_url = {};  // where Telegram should bring updates, if that is known
    std::string base_url = "https://api.telegram.org";
    Mode mode = Mode::poll;

    // What the last run left, and how to keep it: none of it is stored here.
    std::optional<std::int64_t> offset = std::nullopt;            // of polling
    std::optional<WallTime> caught_up = std::nullopt;             // when polling had nothing left to take
    std::vector<std::string> handled = {};                        // updates that changed something
    std::vector<std::pair<std::string, std::string>> moved = {};  // groups that have another id now
    std::function<void(std::int64_t offset)> on_confirmed = {};
    std::function<void(WallTime now)> on_caught_up = {};
    std::function<void(const std::string& from, const std::string& to)> on_moved = {};

    std::function<bool(const std::string& chat)> is_used = {};  // a chat of the configuration; its moves are followed
    ChatPeople people = {};
};

// The secrets that Telegram may bring. Errc::missing_secret if one is absent or weak, or a previous one has no end.
[[nodiscard]] Result<security::SecretRing> webhook_secrets(const TelegramOptions& options);

class Telegram final : public Platform {
public:
    // Errc::missing_secret if the token is no token, or the webhook's secret is absent or weak (I2). The ports are
    // borrowed.
    [[nodiscard]] static Result<std::unique_ptr<Telegram>> open(const boost::asio::any_io_executor& executor,
                                                                TelegramOptions options, PlatformPorts ports);

    // Asks Telegram who we are. Errc::missing_secret: it knows no such bot, do not start. Errc::unavailable: it was not
    // reached; run() keeps trying.
    boost::asio::awaitable<Result<void>> start() override;
    // Keeps asking until Telegram was reached, and begins to take updates. They are taken until stop_listening, or
    // until Telegram knows this bot no more; then everything is undeliverable here.
    boost::asio::awaitable<void> run() override;
    // What comes now waits at Telegram. A webhook's front is the gateway.
    void stop_listening() override;
    // "@name"; empty until Telegram was reached.
    [[nodiscard]] std::string bot() const { return chat_.bot_name().empty() ? std::string{} : "@" + chat_.bot_name(); }
    [[nodiscard]] std::string introduction() const override;
    [[nodiscard]] ChatChannel& chat() { return chat_; }
    [[nodiscard]] Channel& channel() override { return chat_; }
    [[nodiscard]] std::vector<std::string> unready() const override;
    [[nodiscard]] OutboxReport outbox(std::size_t chats_max) const override { return chat_.engine().report(chats_max); }
    boost::asio::awaitable<void> stop() override { return chat_.stop(); }

    // Where the gateway brings what it got for this channel; null when it polls.
    [[nodiscard]] Inbound* webhook() { return webhook_.get(); }
    [[nodiscard]] std::vector<InboundPath> inbound() override;
    // Errc::bad_config for another token: that is another bot.
    [[nodiscard]] Result<std::function<void()>> prepare(const Settings& wanted) override;

private:
    Telegram(const boost::asio::any_io_executor& executor, TelegramOptions options, security::SecretRing secrets,
             PlatformPorts ports);

    void take(Update update, bool after_gap, Handled handled);
    void follow(const Moved& moved);
    boost::asio::awaitable<void> fill_menu();  // the app's "/" menu, in each language; a failure costs nothing else
    boost::asio::awaitable<void> poll();
    // Asks Telegram where it brings our updates; while that is wrong it is said, and asked again.
    boost::asio::awaitable<void> look_at_webhook();
    void problem(const std::string& line) const { chat_.problem(line); }
    // A delivery of which no sender is known.
    void refuse(const Error& why) {
        ports_.attempts.refused({.request_id = {}, .principal = {}, .channel = options_.name}, why);
    }

    TelegramOptions options_;
    PlatformPorts ports_;
    TelegramClient client_;
    TelegramMessenger messenger_;
    ChatChannel chat_;
    BotLink link_;
    std::unique_ptr<WebhookInbound> webhook_;
    std::vector<std::string> webhook_wrong_;  // as Telegram sees it; until an update comes in all the same
    TaskGroup::Handle polling_;
    BootTime last_heard_;  // the last poll that was answered; the beginning, before the first
};

}  // namespace countersign::channels::telegram
