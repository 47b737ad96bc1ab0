// SPDX-License-Identifier: Apache-2.0
// What Discord brings, by webhook or by socket: presses, modals, slash commands and direct messages. Pure.
//
// The bytes were verified before they get here. A person is known by their user id, never by a name. Every string that
// a person typed is theirs.
#pragma once

#include "channels/discord/ids.hpp"
#include "core/json/value.hpp"
#include "core/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace countersign::channels::discord {

// What takes the answers to one press, modal or command, for 15 minutes. The token is a credential: it belongs into no
// record and no line for the operator.
struct Interaction {
    std::string application;
    std::string id;
    std::string token;
    friend bool operator==(const Interaction&, const Interaction&) = default;
};

// Who did it and where, and how it is answered.
struct Context {
    Interaction interaction;  // its id is a snowflake, so it also says when the person acted
    std::string user;         // by id
    std::string chat;         // the channel or thread
    std::string parent = {};  // of a thread: the channel that it is in
    bool direct = false;      // the bot's own direct messages with this person
    bool by_bot = false;
    friend bool operator==(const Context&, const Context&) = default;
};

// The message that a component is on.
struct Origin {
    std::string message;
    std::string author;              // empty where it is not told
    std::optional<bool> has_button;  // it has a button with the data that was pressed; nothing where it is not shown
};

struct Click {
    Context at;
    Origin on;
    std::string data;                                               // the component's own
    std::optional<std::vector<std::string>> chosen = std::nullopt;  // of a list: all that is chosen in it now
};

struct Submission {
    Context at;
    Origin on;         // the card whose button opened the modal; without a name if a command did
    std::string data;  // the modal's own
    Fields fields;
};

struct Slash {
    Context at;
    std::string name;
    std::vector<std::pair<std::string, std::string>> options;
    // Empty if it is not there.
    [[nodiscard]] std::string option(std::string_view name) const;
};

struct Message {
    std::string message;  // a snowflake
    std::string user;
    std::string chat;
    std::string text;
    std::string reply_to = {};  // a message
    std::string reply_chat = {};
    std::string reply_author = {};  // who wrote that one; empty where it is not told
    bool by_bot = false;            // a program's, not a person's
    bool forwarded = false;         // another message, sent on
    bool edited = false;
    std::string edited_at = {};  // names this edit; empty without one
};

// Discord proves that the address is ours.
struct Ping {};
struct Ignored {
    std::string why;
};
using Payload = std::variant<Ignored, Ping, Click, Submission, Slash, Message>;

[[nodiscard]] Payload read_interaction(const json::Object& interaction);
// MESSAGE_CREATE, and MESSAGE_UPDATE if `updated`. Only direct messages: nothing else is asked for.
[[nodiscard]] Payload read_message(const json::Object& message, bool updated);
// The body of a webhook delivery. Errc::malformed.
[[nodiscard]] Result<Payload> read_body(std::string_view body);

// Null for what is not an interaction.
[[nodiscard]] const Context* context_of(const Payload& payload);

}  // namespace countersign::channels::discord
