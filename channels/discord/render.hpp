// SPDX-License-Identifier: Apache-2.0
// Presentation and Conclusion into calls of the REST API, as components. Pure: the same values give the same bytes.
//
// The whole text or no allow (I7): what does not fit into one message goes ahead as a file, with its SHA-256 on the
// card, and the card that can allow is for after the file was delivered.
#pragma once

#include "channels/card_text.hpp"
#include "channels/discord/bounds.hpp"
#include "channels/discord/ids.hpp"
#include "channels/discord/message.hpp"
#include "channels/discord/text.hpp"
#include "channels/keys.hpp"
#include "channels/messenger.hpp"
#include "core/ports/channel.hpp"
#include "core/time.hpp"

#include <string>
#include <vector>

namespace countersign::channels::discord {

[[nodiscard]] Parcel render(const Presentation& presentation, const MessageTarget& spot, const Keys& keys,
                            WallTime now);
// The card anew, with the state it has now. `may_allow` is false where it was sent without allow.
[[nodiscard]] Call render_update(const Presentation& presentation, const MessageTarget& spot, const Keys& keys,
                                 WallTime now, const std::string& message, bool may_allow);
// How it ended, above what it was about, and no buttons.
[[nodiscard]] Call render_conclusion(const Presentation& presentation, const MessageTarget& spot,
                                     const std::string& message, const Conclusion& conclusion);
// The same below the document, where the card was never sent.
[[nodiscard]] Call render_conclusion_reply(const MessageTarget& spot, const std::string& document,
                                           const Conclusion& conclusion, Language language);
// In the place of a card whose content is not known: an edit replaces all of a message.
[[nodiscard]] Call render_retired(const MessageTarget& spot, const std::string& message);
[[nodiscard]] Call render_earlier(const MessageTarget& spot, const std::string& message, const Conclusion& conclusion);
[[nodiscard]] Call render_earlier(const MessageTarget& spot, const std::string& message, const EarlierNews& news);

[[nodiscard]] Call render_reminder(const Presentation& presentation, const MessageTarget& spot,
                                   const std::string& message, const Reminder& reminder);
[[nodiscard]] Call render_session_end(const MessageTarget& spot, const SessionEnd& end);
[[nodiscard]] Call render_announcement(const MessageTarget& spot, const Announcement& announcement);
// Below what a person wrote; for that person alone where `spot.reply_to` names an interaction.
[[nodiscard]] Call render_reply(const MessageTarget& spot, const Phrase& words);
[[nodiscard]] Call render_answer(std::string_view interaction, const Phrase& words);
[[nodiscard]] Reply render_in_slot(const Phrase& words, bool alert);
// Below what a person wrote in reply to a card: one button denies with these words.
[[nodiscard]] Call render_reason_offer(const Presentation& presentation, const MessageTarget& spot, const Keys& keys,
                                       Language language);
// The whole text as a file, for a person who asks for more.
[[nodiscard]] Call render_document(const Request& request, const std::vector<Option>& offered,
                                   const MessageTarget& spot, Language language = {});

}  // namespace countersign::channels::discord
