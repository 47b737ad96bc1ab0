// SPDX-License-Identifier: Apache-2.0
// The calls of the REST API that we make, as values. Pure: the same arguments give the same bytes.
#pragma once

#include "channels/discord/ids.hpp"
#include "channels/discord/text.hpp"
#include "channels/messenger.hpp"
#include "core/ports/inbound.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::discord {

using Call = Outgoing;  // the body is JSON, or a form where a file goes along

inline constexpr std::uint32_t ephemeral_flag = 64;       // seen by one person, until their app starts anew
inline constexpr std::uint32_t silent_flag = 4'096;       // without a sound
inline constexpr std::uint32_t components_flag = 32'768;  // all of the message is in its components

// What a message shows, and whom it calls.
struct Content {
    Json components = Json::array();
    std::vector<std::string> calls = {};  // ids of users
    bool silent = false;
};
struct File {
    std::string name;
    std::string text;
};

// The chat is a channel, or a person for their direct messages (see direct_chat): the messenger knows the id of those.
struct NewMessage {
    std::string chat;
    // In the chat; it has the id of the message that it began with. Where there is none it is opened, if it has a name
    // here; where that can't be, the message is a reply to that first one.
    std::string thread = {};
    std::string thread_name = {};
    std::string reply_to = {};  // a message in the same place; sent also if that is gone
    std::string nonce = {};  // a second message with it, within a few minutes, is not made: the first one is told again
};
struct SentMessage {
    std::string chat;
    MessageName message;
};

[[nodiscard]] Call post_message(const NewMessage& where, const Content& content);
[[nodiscard]] Call post_file(const NewMessage& where, const Content& content, const File& file);
[[nodiscard]] Call edit_message(const SentMessage& message, const Content& content);
// Nothing is sent; it is done at once.
[[nodiscard]] Call no_call();
// Of what makes a message the same message.
[[nodiscard]] std::string nonce_of(std::span<const std::string_view> parts);

// To what a person did in the app, seen by that person alone. The path names the interaction: its token, which is the
// credential, is put into it when it is sent.
[[nodiscard]] Call words_to(std::string_view interaction, const Content& content);
[[nodiscard]] Call words_to(std::string_view interaction, const Content& content, const File& file);
// The first answer to it.
[[nodiscard]] Call respond(std::string_view id, std::string_view token, std::string body);

// What the first answer can be: in the reply to a webhook, or by `respond`.
[[nodiscard]] Json pong();
[[nodiscard]] Json message_response(const Content& content);     // for that person alone
[[nodiscard]] Json thinking();                                   // the same, and the words come later
[[nodiscard]] Json deferred_update();                            // nothing changes yet
[[nodiscard]] Json card_response(const std::string& edit_body);  // the card that was pressed, as an edit of it has it
[[nodiscard]] Json modal_response(const Json& modal);
[[nodiscard]] Reply json_reply(const Json& body);
// A message_response whose content is silent: it only says that something was noted.
[[nodiscard]] bool is_note(const Reply& reply);

[[nodiscard]] Call open_direct_chat(std::string_view user);
[[nodiscard]] Call open_thread(std::string_view channel, std::string_view message, std::string_view name);
[[nodiscard]] Call current_user();
[[nodiscard]] Call current_application();
// Gives the app's presses and commands to the Gateway.
[[nodiscard]] Call delete_interactions_url();
[[nodiscard]] Call gateway_bot();
[[nodiscard]] Call get_user(std::string_view user);
[[nodiscard]] Call list_servers(std::size_t count);
[[nodiscard]] Call list_channels(std::string_view server);
[[nodiscard]] Call get_member(std::string_view server, std::string_view user);
[[nodiscard]] Call get_channel(std::string_view channel);

[[nodiscard]] std::string dumped(const Json& body);

}  // namespace countersign::channels::discord
