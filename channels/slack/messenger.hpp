// SPDX-License-Identifier: Apache-2.0
// The Web API as a Messenger: cards into calls, and answers into what is to be done.
#pragma once

#include "channels/messenger.hpp"
#include "channels/slack/client.hpp"
#include "channels/slack/render.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace countersign::channels::slack {

// What an answer means for the caller who wanted to send something. Pure.
[[nodiscard]] Tried tried_of(const Refusal& refusal, std::string_view method);

class SlackMessenger final : public Messenger {
public:
    // Borrows the client and the keys. `is_gone` is asked each time that the token was refused: true if it is known to
    // be refused for good.
    SlackMessenger(const SlackClient& client, Keys keys, std::function<bool()> is_gone)
        : client_{client}, renderer_{keys}, is_gone_{std::move(is_gone)} {}

    [[nodiscard]] Capabilities capabilities() const override { return {.edits_count = false}; }
    // A person's direct messages are known by the person: Slack's id of them is looked up when something is sent.
    [[nodiscard]] Result<std::string> chat_of(const Recipient& to) const override;
    [[nodiscard]] bool is_group(const std::string& chat) const override { return is_channel(chat); }
    [[nodiscard]] bool is_message(const std::string& name) const override { return is_timestamp(name); }
    [[nodiscard]] const Renderer& renderer() const override { return renderer_; }
    boost::asio::awaitable<Tried> send(Outgoing call) override;

private:
    boost::asio::awaitable<Tried> send_to(Outgoing call, std::string chat);
    boost::asio::awaitable<Tried> send_file(Outgoing call, std::string chat);
    [[nodiscard]] Tried refused(const Refusal& refusal, std::string_view method) const;
    // The id of a person's direct messages.
    boost::asio::awaitable<std::variant<std::string, Refusal>> direct_chat(std::string user);

    const SlackClient& client_;
    SlackRenderer renderer_;
    std::function<bool()> is_gone_;
    std::map<std::string, std::string> direct_;  // by user; the platform keeps the same id for good
};

}  // namespace countersign::channels::slack
