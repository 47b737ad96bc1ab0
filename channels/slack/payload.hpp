// SPDX-License-Identifier: Apache-2.0
// What Slack brings, by webhook or by socket: clicks, windows, slash commands and messages. Pure.
//
// The bytes were verified before they get here. A person is known by the ids of their workspace and of themselves,
// never by a name.
#pragma once

#include "core/json/value.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace countersign::channels::slack {

// Who acted. A user id belongs to a workspace, and in a shared channel that may be another company's: so the team is
// the user's own. In an organisation a person may be written in the configuration under its id instead.
struct Actor {
    std::string user;
    std::vector<std::string> principals;  // "slack:T0/U1", the most exact first
    friend bool operator==(const Actor&, const Actor&) = default;
};

struct Click {
    Actor by;
    std::string chat;
    std::string message;
    std::string thread;
    std::string data;                // of the button, or of the choice in a list
    std::string trigger;             // opens one window, for 3 seconds
    std::string made;                // when, as Slack writes times
    std::string author;              // the bot that posted the message; empty where it is not told
    std::optional<bool> has_button;  // the message has a button with this very data
};
struct Submission {
    Actor by;
    std::string view;  // its id
    std::string hash;
    std::string callback;
    std::string metadata;
    json::Object values;
};
struct Slash {
    Actor by;
    std::string user_name;  // for display only: it can pass to another person
    std::string chat;
    std::string command;
    std::string text;
    std::string trigger;
};
struct Message {
    Actor by;
    std::string delivery;  // the event's id
    std::string chat;
    std::string message;
    std::string thread;
    std::string text;
    std::string bot;  // that posted it; empty for a person
    bool direct = false;
    bool edited = false;
};
struct Challenge {
    std::string text;
};
// The app is not in this workspace any more, or its token is none.
struct Removed {
    std::string why;
};
struct Ignored {
    std::string why;
};
using Payload = std::variant<Ignored, Click, Submission, Slash, Message, Challenge, Removed>;

// The `payload` of an interaction, an event as it is wrapped for a webhook, and the fields of a slash command.
[[nodiscard]] Payload read_interaction(const json::Object& payload);
[[nodiscard]] Payload read_event(const json::Object& wrapped);
[[nodiscard]] Payload read_slash(const json::Object& fields);
// The body of a webhook delivery: a form or JSON. Errc::malformed.
[[nodiscard]] Result<Payload> read_body(std::string_view content_type, std::string_view body);

// "1548261231.000200" as a time.
[[nodiscard]] std::optional<WallTime> moment_of(std::string_view timestamp);

}  // namespace countersign::channels::slack
