// SPDX-License-Identifier: Apache-2.0
// Presentation and Conclusion into calls of the Bot API. Pure: the same values give the same bytes.
//
// The whole text or no allow (I7): what does not fit into one message goes ahead as a file, with its SHA-256 on the
// card, and the card that can allow is for after the file was delivered.
#pragma once

#include "channels/card_text.hpp"
#include "channels/catalogue.hpp"
#include "channels/keys.hpp"
#include "channels/messenger.hpp"
#include "channels/telegram/bounds.hpp"
#include "channels/telegram/message.hpp"
#include "channels/telegram/text.hpp"
#include "core/ports/channel.hpp"
#include "core/time.hpp"
#include "security/button_token.hpp"
#include "security/short_code.hpp"

#include <cstdint>
#include <vector>

namespace countersign::channels::telegram {

inline constexpr CardRules card_rules{.text = text_rules,
                                      .units_max = limits::telegram_text_units_max,
                                      .can_mention = [](std::string_view who) { return user_of(who).has_value(); }};

[[nodiscard]] Parcel render(const Presentation& presentation, const MessageTarget& spot, const Keys& keys,
                            WallTime now);

// The buttons of a card anew: marks at the choices that were taken. Only questions have marks.
[[nodiscard]] Call render_marks(const Presentation& presentation, const MessageTarget& spot, const Keys& keys,
                                std::int64_t message);

// The card anew, with the state it has now. `may_allow` is false where it was sent without allow.
[[nodiscard]] Call render_update(const Presentation& presentation, const MessageTarget& spot, const Keys& keys,
                                 WallTime now, std::int64_t message, bool may_allow);

// How it ended, above what it was about, and no buttons.
[[nodiscard]] Call render_conclusion(const Presentation& presentation, const MessageTarget& spot, std::int64_t message,
                                     const Conclusion& conclusion);
// The same as a reply to the document, where the card was never sent.
[[nodiscard]] Call render_conclusion_reply(const MessageTarget& spot, std::int64_t document,
                                           const Conclusion& conclusion, Language language = {});

// Words below the card, which call those who have not answered. They have no buttons.
[[nodiscard]] Call render_reminder(const Presentation& presentation, const MessageTarget& spot, std::int64_t message,
                                   const Reminder& reminder);
// The app of that person opens the reply by itself.
[[nodiscard]] Call render_reason_wanted(const MessageTarget& spot, const ReasonWanted& wanted, Language language);
// Below what a person wrote in reply to a card: one button denies with these words.
[[nodiscard]] Call render_reason_offer(const Presentation& presentation, const MessageTarget& spot, const Keys& keys,
                                       std::int64_t reply, Language language);
// Below the first message of a session: it is over. Without a sound.
[[nodiscard]] Call render_session_end(const MessageTarget& spot, const SessionEnd& end);

// In the place of a card of an earlier process, of which only the place is known.
[[nodiscard]] Call render_earlier(const MessageTarget& spot, std::int64_t message, const Conclusion& conclusion);
// The same while its request is open.
[[nodiscard]] Call render_earlier(const MessageTarget& spot, std::int64_t message, const EarlierNews& news);

// The exact lines as they are, to be copied with the heading or without it.
[[nodiscard]] Call render_announcement(const MessageTarget& spot, const Announcement& announcement);

// The whole text as a file, for whoever asks for more.
[[nodiscard]] Call render_document(const Request& request, const std::vector<Option>& offered,
                                   const MessageTarget& spot, Language language = {});

}  // namespace countersign::channels::telegram
