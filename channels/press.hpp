// SPDX-License-Identifier: Apache-2.0
// What a press asks for, on every platform: a tap, a click, a vote. It looks at what is open and shown, and changes
// nothing.
//
// The bytes were verified before they got here, and the person is known by an immutable id. Every string in a press is
// still the sender's: a client can send any data it likes. Whether that person may decide is asked elsewhere (I4).
#pragma once

#include "channels/chat_sight.hpp"
#include "channels/delivery.hpp"
#include "channels/intent.hpp"

#include <optional>
#include <string>
#include <vector>

namespace countersign::channels {

struct Press {
    std::string principal;
    bool by_bot = false;
    std::string data;  // of the button
    // The message with the button; none where the platform names none, which is never ours.
    struct On {
        std::string chat;  // by the platform's id
        std::string message;
        std::string thread = {};                        // of a chat that has topics
        std::optional<bool> is_ours = std::nullopt;     // we sent it; nothing where the platform no longer shows it
        std::optional<bool> has_button = std::nullopt;  // it has a button with this very data now; the same
        friend bool operator==(const On&, const On&) = default;
    };
    std::optional<On> on;
    std::optional<WallTime> made = std::nullopt;  // where the platform says when
    // What the person wrote in the modal that this button opened; with it the same press comes a second time.
    std::optional<std::string> words = std::nullopt;
    // From a list: the data of every choice that is taken now; `data` is that of any choice of the list.
    std::optional<std::vector<std::string>> picked = std::nullopt;
};

struct ReadPress {
    Intent intent;
    std::optional<Pressed> pressed = std::nullopt;  // where a copy of a card is
    std::optional<StaleCopy> stale = std::nullopt;  // a message whose buttons must go
};

[[nodiscard]] ReadPress read_press(const Press& press, const ChatSight& sight, const Arrival& arrival);

}  // namespace countersign::channels
