// SPDX-License-Identifier: Apache-2.0
// The calls of the Web API that we make, as values. Pure: the same arguments give the same bytes.
#pragma once

#include "channels/messenger.hpp"
#include "channels/slack/text.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace countersign::channels::slack {

using Call = Outgoing;  // the body is JSON; of a file it is a form, see `upload`

// What a message shows, and what its notification says instead.
struct Content {
    std::string notice;  // plain; escaped here
    Json blocks = Json::array();
};

// A channel, or a person for their direct messages; the messenger knows the id of those.
struct NewMessage {
    std::string chat;
    std::string thread = {};  // the message that it goes below; empty: the chat itself
};
struct SentMessage {
    std::string chat;
    std::string message;
};

[[nodiscard]] Call post_message(const NewMessage& where, const Content& content);
// What is not in the content goes: blocks that are empty take the buttons away.
[[nodiscard]] Call update_message(const SentMessage& message, const Content& content);
// Only this person sees it, and it is gone when their app starts anew.
[[nodiscard]] Call post_ephemeral(const NewMessage& where, const std::string& user, const Content& content);
// Nothing is sent; it is done at once.
[[nodiscard]] Call no_call();

// A file takes three calls, which the messenger makes.
inline constexpr std::string_view upload_path = "files.upload";
struct Upload {
    std::string file_name;
    std::string text;
    std::string caption;  // plain
};
[[nodiscard]] Call upload(const NewMessage& where, const Upload& file);
[[nodiscard]] Call begin_upload(std::string_view file_name, std::size_t bytes);
struct Uploaded {
    std::string file;
    std::string title;
    std::string caption;
};
[[nodiscard]] Call complete_upload(const NewMessage& where, const Uploaded& uploaded);

[[nodiscard]] Call open_view(std::string_view trigger, const Json& view);
[[nodiscard]] Call open_conversation(std::string_view user);
[[nodiscard]] Call auth_test();
[[nodiscard]] Call channel_info(std::string_view channel);
// The channels that the bot is a member of, at most so many.
[[nodiscard]] Call joined_channels(std::size_t channels_max);
[[nodiscard]] Call open_connection();

}  // namespace countersign::channels::slack
