// SPDX-License-Identifier: Apache-2.0
// The calls of the Bot API that we make, as values. Pure: the same arguments give the same bytes.
#pragma once

#include "channels/messenger.hpp"
#include "channels/telegram/bounds.hpp"
#include "channels/telegram/text.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::telegram {

using Call = Outgoing;  // the body is JSON, or a form where a file goes along

struct KeyboardButton {
    std::string text;
    std::string data;
    std::string style = {};  // "success", "danger", "primary" or empty: the app's own
};
using Keyboard = std::vector<std::vector<KeyboardButton>>;

// The number of a message of ours, as it stands in a ref; 0 if it is none.
[[nodiscard]] std::int64_t message_number(std::string_view digits);

// A message of ours in a chat, which is a number or, for a public channel, its @name.
struct SentMessage {
    std::string chat;
    std::int64_t message = 0;
};

// Where a new message goes: a topic of a group has its own number in it.
struct NewMessage {
    std::string chat;
    std::string thread = {};                              // empty: the chat itself
    std::optional<std::int64_t> reply_to = std::nullopt;  // sent also if that message is gone
};

[[nodiscard]] Call send_message(const NewMessage& where, const StyledText& text, const Keyboard& keyboard);
[[nodiscard]] inline Call send_message(const std::string& chat, const StyledText& text, const Keyboard& keyboard) {
    return send_message(NewMessage{.chat = chat}, text, keyboard);
}
// Without a sound: nobody is asked anything.
[[nodiscard]] Call send_quietly(const NewMessage& where, const StyledText& text);
// The reader's app opens a reply to it by itself, with the hint in the empty field. In a group only for those it
// mentions.
[[nodiscard]] Call ask_reply(const NewMessage& where, const StyledText& text, std::string_view hint);
[[nodiscard]] Call send_reply(const SentMessage& to, const StyledText& text);
// A keyboard that is empty takes the buttons away.
[[nodiscard]] Call edit_message(const SentMessage& message, const StyledText& text, const Keyboard& keyboard);
[[nodiscard]] Call edit_keyboard(const SentMessage& message, const Keyboard& keyboard);
struct Document {
    std::string file_name;
    std::string text;
    StyledText caption;
};
// Without its caption, where that is longer than telegram_caption_units_max.
[[nodiscard]] Call send_document(const NewMessage& where, const Document& document);
// The answer to a click. Cut to telegram_alert_units_max; shown as a window that must be closed if `alert`.
[[nodiscard]] Call answer_query(const std::string& query, std::string_view words, bool alert);
[[nodiscard]] Call get_me();
// What the app's "/" menu lists, for readers of one language; an empty tag is for everyone else.
struct MenuEntry {
    std::string_view command;
    std::string_view description;
};
[[nodiscard]] Call set_my_commands(const std::vector<MenuEntry>& entries, std::string_view language_tag);
// The kinds of updates that we ask for. An edit decides nothing, but leaves a record (I11).
inline constexpr std::array<std::string_view, 3> update_kinds{"message", "edited_message", "callback_query"};
// What waits at Telegram is kept in all three: somebody tapped it.
struct WebhookWish {
    std::string url;
    std::string_view secret;  // in the body alone; never in an error
};
[[nodiscard]] Call set_webhook(const WebhookWish& wish);
[[nodiscard]] Call get_webhook_info();
[[nodiscard]] Call delete_webhook();
[[nodiscard]] Call get_updates(std::optional<std::int64_t> offset, std::size_t limit, std::int64_t wait_seconds);

}  // namespace countersign::channels::telegram
