// SPDX-License-Identifier: Apache-2.0
// An Update of the Bot API, as far as we look at it. Pure.
//
// Authentic bytes, and still every string in them is somebody's: a client can send any callback data it likes.
#pragma once

#include "core/json/value.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace countersign::channels::telegram {

struct User {
    std::int64_t id = 0;
    bool is_bot = false;
    std::string username = {};
    friend bool operator==(const User&, const User&) = default;
};

struct Click {
    std::string query;  // its id, for the answer
    User from;
    std::string data;
    // The message with the button; none for an inline message, which is never ours.
    struct On {
        std::int64_t chat = 0;
        std::int64_t message = 0;
        std::optional<std::int64_t> author;                // none where Telegram no longer shows the message
        std::optional<std::int64_t> topic = std::nullopt;  // of a group that has topics
        // Whether the message has a button with this very data now; nothing where Telegram no longer shows it.
        std::optional<bool> has_button = std::nullopt;
        friend bool operator==(const On&, const On&) = default;
    };
    std::optional<On> on;
    friend bool operator==(const Click&, const Click&) = default;
};

struct Text {
    std::int64_t chat = 0;
    bool direct = false;  // a private chat
    std::int64_t message = 0;
    std::optional<User> from;
    bool anonymous = false;          // sent in the name of a chat: nobody knows who it was
    bool second_hand = false;        // forwarded, or made by another bot: not this person's own words
    bool edited = false;             // Telegram tells edits as another kind of update, but may say it in this one too
    bool automatic = false;          // scheduled, or an answer while the person is away
    bool answers_elsewhere = false;  // a reply to a message of another chat, or to a story
    std::int64_t date = 0;           // seconds since 1970
    std::string text;
    std::optional<std::int64_t> reply_to;
    std::optional<std::int64_t> reply_author;  // who sent that message
    friend bool operator==(const Text&, const Text&) = default;
};

// A group became a supergroup, and has another id from now on. Telegram writes it itself; nobody can send it.
struct Moved {
    std::int64_t from = 0;
    std::int64_t to = 0;
    friend bool operator==(const Moved&, const Moved&) = default;
};

// Channel posts, polls, members: nothing that decides.
struct Other {
    friend bool operator==(const Other&, const Other&) = default;
};

struct Update {
    std::int64_t id = 0;
    std::variant<Other, Click, Text, Moved> what;
    friend bool operator==(const Update&, const Update&) = default;
};

// Written by this person, here and now: nothing else decides or pairs.
[[nodiscard]] bool is_own_words(const Text& text);

// Errc::malformed without an update_id; anything else that is not as we know it is Other.
[[nodiscard]] Result<Update> read_update(const json::Value& value);
// The body of a webhook.
[[nodiscard]] Result<Update> read_body(std::string_view body);
// The result of getUpdates. An entry without an id is left out: there is nothing to confirm.
[[nodiscard]] Result<std::vector<Update>> read_updates(const json::Value& result);

}  // namespace countersign::channels::telegram
