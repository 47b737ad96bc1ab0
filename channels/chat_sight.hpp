// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/cards.hpp"
#include "channels/keys.hpp"
#include "channels/phrase.hpp"
#include "core/attempt.hpp"
#include "core/ports/open_requests.hpp"

#include <functional>
#include <string>

namespace countersign::channels {

// How far a platform's typed text is believed.
struct TypingRules {
    Assurance assurance = Assurance::chat;
    bool allow_needs_code = false;  // the recipient's own: a request's id, which others see too, allows nothing
};

// What the readers of presses and texts may look at. Borrowed; they change nothing of it.
struct ChatSight {
    const std::string& channel;
    const std::string& bot_name;  // as in /approve@name
    Keys keys;
    const OpenRequests& open;
    const Cards& cards;
    const Chats& chats;
    const std::function<bool(const std::string& principal)>& known;  // a person of the configuration
    TypingRules typing = {};
    Language language = {};  // of the person who pressed or wrote
    bool locked = false;     // they typed too many wrong codes: none of theirs counts now
};

}  // namespace countersign::channels
