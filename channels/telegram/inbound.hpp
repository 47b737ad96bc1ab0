// SPDX-License-Identifier: Apache-2.0
// From an Update to what it means. It looks at what is open and shown, and changes nothing.
//
// The bytes were verified before they got here. Who it was is `from.id` alone: names can be changed by whoever has
// them. Whether that person may decide is asked elsewhere (I4).
#pragma once

#include "channels/cards.hpp"
#include "channels/delivery.hpp"
#include "channels/meaning.hpp"
#include "channels/telegram/render.hpp"
#include "channels/telegram/update.hpp"
#include "core/attempt.hpp"
#include "core/ports/open_requests.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace countersign::channels::telegram {

// Who we are to Telegram, as getMe says.
struct Bot {
    std::int64_t id = 0;
    std::string username;
};

// What it may look at. Borrowed.
struct Sight {
    const std::string& channel;
    const Bot& bot;
    Keys keys;
    const OpenRequests& open;
    const Cards& cards;
    const Chats& chats;
    const std::function<bool(const std::string& principal)>& known;  // a person of the configuration
    Language language = {};                                          // of whoever it came from
    bool locked = false;                                             // after too many wrong codes
};

// How to answer: the click, or a text. A query is answered exactly once.
struct Asker {
    std::string query;  // empty for a text
    Target text;
    std::string principal;
};

struct Incoming {
    Asker asker;
    Meaning meaning;
    std::optional<Pressed> pressed;
    std::optional<StaleCopy> stale;
};

[[nodiscard]] Incoming read(const Click& click, const Sight& sight, const Arrival& arrival);
[[nodiscard]] Incoming read(const Text& text, const Sight& sight, const Arrival& arrival);

}  // namespace countersign::channels::telegram
