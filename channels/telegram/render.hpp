// SPDX-License-Identifier: Apache-2.0
// Presentation and Conclusion into calls of the Bot API. Pure: the same values give the same bytes.
#pragma once

#include "channels/telegram/bounds.hpp"
#include "channels/telegram/message.hpp"
#include "channels/telegram/text.hpp"
#include "channels/text_renderer.hpp"
#include "core/ports/channel.hpp"
#include "core/time.hpp"

#include <optional>
#include <string>

namespace countersign::channels::telegram {

inline constexpr CardRules card_rules{.text = text_rules,
                                      .units_max = limits::telegram_text_units_max,
                                      .can_mention = [](std::string_view who) { return user_of(who).has_value(); }};

class TelegramRenderer final : public TextRenderer {
public:
    explicit TelegramRenderer(Keys keys) : TextRenderer{card_rules, keys} {}

    // Only questions have marks.
    [[nodiscard]] Outgoing marks(const Presentation& presentation, const MessageTarget& spot,
                                 const std::string& message) const override;
    // Telegram can take a message's buttons away and leave its text.
    [[nodiscard]] Outgoing retired(const MessageTarget& spot, const std::string& message) const override;
    [[nodiscard]] Outgoing conclusion_reply(const Presentation& presentation, const MessageTarget& spot,
                                            const std::string& document, const Conclusion& conclusion) const override;
    [[nodiscard]] Outgoing reply(const MessageTarget& spot, const Phrase& words) const override;
    [[nodiscard]] Outgoing answer(const std::string& query, const Phrase& words, bool alert) const override;
    // The app of that person opens the reply by itself.
    [[nodiscard]] Outgoing reason_wanted(const MessageTarget& spot, const ReasonWanted& wanted,
                                         Language language) const override;
    [[nodiscard]] Outgoing reason_offer(const Presentation& presentation, const MessageTarget& spot,
                                        Language language) const override;

private:
    [[nodiscard]] Outgoing post_card(const Presentation& presentation, const MessageTarget& spot, const Phrase& words,
                                     Buttons buttons) const override;
    [[nodiscard]] Outgoing edit_card(const Presentation& presentation, const MessageTarget& spot,
                                     const std::string& message, const Phrase& words, Buttons buttons) const override;
    [[nodiscard]] Outgoing note(const MessageTarget& spot, const Note& note) const override;
    [[nodiscard]] Outgoing note_below(const MessageTarget& spot, const std::string& message,
                                      const Note& note) const override;
    [[nodiscard]] Outgoing replace(const MessageTarget& spot, const std::string& message, const Phrase& words,
                                   std::optional<Outcome> ended) const override;
    [[nodiscard]] Outgoing file(const MessageTarget& spot, File file) const override;
    [[nodiscard]] bool calls_people(const Presentation& presentation, const MessageTarget& spot) const override;
};

}  // namespace countersign::channels::telegram
