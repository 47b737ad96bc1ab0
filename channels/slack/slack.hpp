// SPDX-License-Identifier: Apache-2.0
// Slack: an app as a channel, by Socket Mode or by a webhook.
//
// What it shows and reads is the ChatChannel's. Here is what only Slack has: the app's tokens, the two ways that clicks
// come in, and the windows that a card opens. All on the owner's thread.
#pragma once

#include "channels/bot_link.hpp"
#include "channels/chat_channel.hpp"
#include "channels/platform.hpp"
#include "channels/slack/client.hpp"
#include "channels/slack/inbound.hpp"
#include "channels/slack/messenger.hpp"
#include "channels/slack/socket.hpp"
#include "channels/slack/webhook.hpp"
#include "channels/webhook_secrets.hpp"
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

namespace countersign::channels::slack {

enum class Mode { socket, webhook };

struct SlackOptions {
    std::string name = "slack";
    security::Secret token = {};                               // xoxb-…
    std::optional<security::Secret> app_token = std::nullopt;  // xapp-…, needed in Socket Mode
    WebhookSecrets secrets = {};                               // needed by a webhook
    std::string team = {};                                     // the workspace that the token must be of; empty: any
    std::string command = "/countersign";
    std::string base_url = "https://slack.com/api";
    Mode mode = Mode::socket;
    std::vector<std::string> handled = {};  // deliveries that changed something in the last run
    ChatPeople people = {};
    std::function<std::vector<std::string>()> chats = {};  // channels that the configuration names
};

// The secrets that Slack may sign with. Errc::missing_secret if one is absent or weak, or a previous one has no end.
[[nodiscard]] Result<security::SecretRing> signing_secrets(const SlackOptions& options);

class Slack final : public Platform {
public:
    // Errc::missing_secret if a token or secret that the mode needs is absent or weak (I2). The ports are borrowed; a
    // webhook does not connect.
    [[nodiscard]] static Result<std::unique_ptr<Slack>>
    open(const boost::asio::any_io_executor& executor, SlackOptions options, PlatformPorts ports, Connect connect);

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
    // What a front verified and read.
    boost::asio::awaitable<Reply> take(Payload payload, std::shared_ptr<ReplySlot> slot);

private:
    Slack(const boost::asio::any_io_executor& executor, SlackOptions options, security::SecretRing secrets,
          PlatformPorts ports, const Connect& connect);

    boost::asio::awaitable<void> check_channels();
    void click(const Click& click);
    // The window that a press opens; null where it opens none.
    [[nodiscard]] Json window_of(const Press& press, const Intent& intent) const;
    boost::asio::awaitable<void> open_window(std::string trigger, Json view);
    boost::asio::awaitable<Reply> submission(Submission submission, std::shared_ptr<ReplySlot> slot);
    boost::asio::awaitable<Reply> answers(Submission submission, Opener opener, std::shared_ptr<ReplySlot> slot);
    boost::asio::awaitable<Reply> hear(std::vector<Heard> heard);
    void message(const Message& message);

    [[nodiscard]] bool is_known(const std::string& principal) const;
    [[nodiscard]] std::string principal_of(const Actor& by) const;
    void problem(const std::string& line) const { chat_.problem(line); }

    SlackOptions options_;
    PlatformPorts ports_;
    SlackClient client_;
    SlackMessenger messenger_;
    ChatChannel chat_;
    BotLink link_;
    std::unique_ptr<SlackWebhook> webhook_;
    std::unique_ptr<SlackClient> app_;  // with the app's token, which opens connections and nothing else
    std::unique_ptr<SocketMode> socket_;
    std::string user_;  // the bot's own; empty until Slack was reached
    std::string bot_;   // its id on messages
    std::string team_;
    std::string team_name_;
};

}  // namespace countersign::channels::slack
