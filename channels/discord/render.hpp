// SPDX-License-Identifier: Apache-2.0
// Presentation and Conclusion into calls of the REST API, as components. Pure: the same values give the same bytes.
#pragma once

#include "channels/discord/bounds.hpp"
#include "channels/discord/ids.hpp"
#include "channels/discord/message.hpp"
#include "channels/discord/text.hpp"
#include "channels/text_renderer.hpp"
#include "core/ports/channel.hpp"
#include "core/time.hpp"

#include <optional>
#include <string>

namespace countersign::channels::discord {

inline constexpr CardRules card_rules{.text = text_rules,
                                      .units_max = limits::discord_card_units_max,
                                      .can_mention = [](std::string_view who) { return user_of(who).has_value(); }};

// Words alone: as a message, and as the answer to a slash command, which its sender alone sees.
[[nodiscard]] Outgoing message_of(const NewMessage& where, const Phrase& words);
[[nodiscard]] Reply command_reply(const Phrase& words, bool alert = true);

class DiscordRenderer final : public TextRenderer {
public:
    explicit DiscordRenderer(Keys keys) : TextRenderer{card_rules, keys} {}

    // No call: a list shows by itself what was chosen in it.
    [[nodiscard]] Outgoing marks(const Presentation& presentation, const MessageTarget& spot,
                                 const std::string& message) const override;
    [[nodiscard]] Outgoing conclusion_reply(const Presentation& presentation, const MessageTarget& spot,
                                            const std::string& document, const Conclusion& conclusion) const override;
    // Below what a person wrote; for that person alone where `spot.reply_to` names an interaction.
    [[nodiscard]] Outgoing reply(const MessageTarget& spot, const Phrase& words) const override;
    [[nodiscard]] Reply in_slot(const Phrase& words, bool alert) const override;
    [[nodiscard]] Outgoing answer(const std::string& query, const Phrase& words, bool alert) const override;
    // Tells which command to type: only the first answer can open a window, and that was given.
    [[nodiscard]] Outgoing reason_modal(const std::string& query, const MessageTarget& spot, const ReasonWanted& wanted,
                                        Language language) const override;
    [[nodiscard]] std::optional<Reply> reason_modal_in_slot(const MessageTarget& spot, const ReasonWanted& wanted,
                                                            Language language) const override;
    [[nodiscard]] Outgoing reason_offer(const Presentation& presentation, const MessageTarget& spot,
                                        Language language) const override;

private:
    // Both measure what is sent: styles take up room that the words alone do not tell.
    [[nodiscard]] std::optional<Phrase> whole_words(const CardText& card, const MessageTarget& spot) const override;
    [[nodiscard]] Phrase brief_words(const CardText& card, const MessageTarget& spot) const override;
    [[nodiscard]] Outgoing post_card(const Presentation& presentation, const MessageTarget& spot, const Phrase& words,
                                     Buttons buttons) const override;
    [[nodiscard]] Outgoing edit_card(const Presentation& presentation, const MessageTarget& spot,
                                     const std::string& message, const Phrase& words, Buttons buttons) const override;
    [[nodiscard]] Outgoing end_card(const Presentation& presentation, const MessageTarget& spot,
                                    const std::string& message, const Phrase& words,
                                    const Conclusion& conclusion) const override;
    [[nodiscard]] Outgoing note(const MessageTarget& spot, const Note& note) const override;
    [[nodiscard]] Outgoing note_below(const MessageTarget& spot, const std::string& message,
                                      const Note& note) const override;
    [[nodiscard]] Outgoing replace(const MessageTarget& spot, const std::string& message, const Phrase& words,
                                   std::optional<Outcome> ended) const override;
    // For that person alone where `spot.reply_to` names an interaction.
    [[nodiscard]] Outgoing file(const MessageTarget& spot, File file) const override;
    [[nodiscard]] Outgoing file_of_card(const Presentation& presentation, const MessageTarget& spot,
                                        File file) const override;
    [[nodiscard]] bool calls_people(const Presentation& presentation, const MessageTarget& spot) const override;
};

}  // namespace countersign::channels::discord
