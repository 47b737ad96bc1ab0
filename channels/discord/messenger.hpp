// SPDX-License-Identifier: Apache-2.0
// The REST API as a Messenger: cards into calls, and answers into what is to be done.
#pragma once

#include "channels/discord/client.hpp"
#include "channels/discord/render.hpp"
#include "channels/messenger.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

namespace countersign::channels::discord {

// What an answer means for the caller who wanted to send something. Pure.
[[nodiscard]] Tried tried_of(const Refusal& refusal);

class DiscordMessenger final : public Messenger {
public:
    struct Hooks {
        std::function<bool()>
            is_gone;  // asked each time that the token was refused: it is known to be refused for good
        // Puts the token of an interaction into the path of words_to. False: nothing can be said to it any more.
        std::function<bool(Outgoing& call)> resolve;
        std::function<void(const Outgoing& call)> on_send = {};  // before anything else
    };
    // Borrows the client and the keys.
    DiscordMessenger(DiscordClient& client, Keys keys, Hooks hooks)
        : client_{client}, renderer_{keys}, hooks_{std::move(hooks)} {}

    [[nodiscard]] Capabilities capabilities() const override {
        return {.edits_count = false, .ephemeral = true, .modals = true};
    }
    // A person's direct messages are known by the person: Discord's id of them is looked up when something is sent.
    [[nodiscard]] Result<std::string> chat_of(const Recipient& to) const override;
    [[nodiscard]] bool is_group(const std::string& chat) const override { return !is_direct(chat); }
    [[nodiscard]] bool is_message(const std::string& name) const override { return message_name(name).has_value(); }
    [[nodiscard]] const Renderer& renderer() const override { return renderer_; }
    boost::asio::awaitable<Tried> send(Outgoing call) override;

private:
    struct Posted {
        ApiReply reply;
        std::string thread;  // that it is in; empty: the chat itself
    };
    boost::asio::awaitable<Posted> post(Outgoing call, std::string chat, std::string thread);
    boost::asio::awaitable<ApiReply> open_thread(Outgoing call, std::string chat, std::string message,
                                                 std::string name);
    [[nodiscard]] Tried refused(const Refusal& refusal) const;
    // The id of a person's direct messages.
    boost::asio::awaitable<std::variant<std::string, Refusal>> direct_channel(std::string user);

    DiscordClient& client_;
    DiscordRenderer renderer_;
    Hooks hooks_;
    std::map<std::string, std::string> direct_;  // by user; the platform keeps the same id for good
    std::set<std::string> without_threads_;      // chats
};

}  // namespace countersign::channels::discord
