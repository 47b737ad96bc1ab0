// SPDX-License-Identifier: Apache-2.0
// What a typed text means, on every platform. It looks at what is open and shown, and changes nothing.
//
// Who wrote it was verified before it got here, and is known by an immutable id. Whether that person may decide is
// asked elsewhere (I4).
#pragma once

#include "channels/cards.hpp"
#include "channels/meaning.hpp"
#include "core/ports/open_requests.hpp"
#include "security/short_code.hpp"

#include <functional>
#include <optional>
#include <string>

namespace countersign::channels {

// A text, as its platform tells it.
struct Typed {
    std::string chat;  // by the platform's id
    std::string message;
    std::string principal;
    std::string text;
    bool direct = false;             // nobody else reads it: bare words are commands
    bool anonymous = false;          // sent in the name of a chat: nobody knows who it was
    bool by_bot = false;             // a program's, not a person's
    bool second_hand = false;        // forwarded, or made by another bot: not this person's own words
    bool edited = false;             // changed after it was sent
    bool automatic = false;          // sent later, without the person: scheduled, or an answer while they are away
    bool answers_elsewhere = false;  // a reply to a message of another chat
    std::optional<WallTime> made;
    std::optional<std::string> reply_to;  // a message in the same chat
};

// What it may look at. Borrowed.
struct TypedSight {
    const std::string& channel;
    const std::string& bot_name;  // as in /approve@name
    const security::ShortCodes& codes;
    const OpenRequests& open;
    const Cards& cards;
    const Chats& chats;
    const std::function<bool(const std::string& principal)>& known;  // a person of the configuration
    Language language = {};                                          // of whoever wrote it
    bool locked = false;  // they typed too many wrong codes: none of theirs counts now
};

[[nodiscard]] Meaning read_typed(const Typed& typed, const TypedSight& sight, const Arrival& arrival);

}  // namespace countersign::channels
