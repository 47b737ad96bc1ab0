// SPDX-License-Identifier: Apache-2.0
// Presentation and Conclusion into calls of the Bot API. Pure: the same values give the same bytes.
//
// The whole text or no allow (I7): what does not fit into one message goes ahead as a file, with its SHA-256 on the
// card, and the card that can allow is for after the file was delivered.
#pragma once

#include "channels/catalogue.hpp"
#include "channels/telegram/message.hpp"
#include "core/ports/channel.hpp"
#include "core/time.hpp"
#include "security/button_token.hpp"
#include "security/short_code.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace countersign::channels::telegram {

// Where a card goes to. Buttons and codes are bound to `channel` and `chat`, as they are configured; `target` is
// another id if the group moved.
struct Spot {
    std::string channel;
    std::string chat;
    std::string target;
    std::string thread = {};                              // the topic in it
    std::optional<std::int64_t> reply_to = std::nullopt;  // the message that it goes below
};

// Borrowed; what buttons and codes are made with.
struct Keys {
    const security::ButtonTokens& tokens;
    const security::ShortCodes& codes;
};

struct Rendering {
    std::optional<Call> document;       // to be delivered first
    Call card;                          // may allow: everything is shown once this is delivered
    std::optional<Call> without_allow;  // in its place, where the document could not be delivered
};
[[nodiscard]] Rendering render(const Presentation& presentation, const Spot& spot, const Keys& keys, WallTime now);

// Which choices are taken, by question.
using Chosen = std::vector<std::set<std::size_t>>;
// The buttons of a card anew: marks at the choices that were taken. Only questions have marks.
[[nodiscard]] Call render_marks(const Presentation& presentation, const Spot& spot, const Keys& keys,
                                std::int64_t message, const Chosen& chosen);

// The card anew, with the state it has now. `may_allow` is false where it was sent without allow.
[[nodiscard]] Call render_update(const Presentation& presentation, const Spot& spot, const Keys& keys, WallTime now,
                                 std::int64_t message, bool may_allow);

// How it ended, above what it was about, and no buttons.
[[nodiscard]] Call render_conclusion(const Presentation& presentation, const Spot& spot, std::int64_t message,
                                     const Conclusion& conclusion);
// The same as a reply to the document, where the card was never sent.
[[nodiscard]] Call render_conclusion_reply(const Spot& spot, std::int64_t document, const Conclusion& conclusion,
                                           Language language = {});

// In the place of a card of an earlier process, of which only the place is known.
[[nodiscard]] Call render_earlier(const Spot& spot, std::int64_t message, const Conclusion& conclusion,
                                  Language language = {});

// The exact lines as they are, to be copied with the heading or without it.
[[nodiscard]] Call render_announcement(const Spot& spot, const Announcement& announcement);

// The whole text as a file, for whoever asks for more.
[[nodiscard]] Call render_document(const Request& request, const std::vector<Option>& offered, const Spot& spot,
                                   Language language = {});

// Whether a tap on a choice is the answer, or answers are gathered until Submit.
[[nodiscard]] bool gathers(const Questionnaire& questionnaire);

}  // namespace countersign::channels::telegram
