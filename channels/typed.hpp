// SPDX-License-Identifier: Apache-2.0
// What a typed text means, on every platform. It looks at what is open and shown, and changes nothing.
//
// Who wrote it was verified before it got here, and is known by an immutable id. Whether that person may decide is
// asked elsewhere (I4).
#pragma once

#include "channels/chat_sight.hpp"
#include "channels/intent.hpp"

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
    bool answers_ours = false;            // and we sent that one
};

[[nodiscard]] Intent read_typed(const Typed& typed, const ChatSight& sight, const Arrival& arrival);

}  // namespace countersign::channels
