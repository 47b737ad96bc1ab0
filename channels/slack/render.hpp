// SPDX-License-Identifier: Apache-2.0
// Presentation and Conclusion into calls of the Web API, as Block Kit. Pure: the same values give the same bytes.
#pragma once

#include "channels/slack/bounds.hpp"
#include "channels/slack/ids.hpp"
#include "channels/slack/message.hpp"
#include "channels/slack/text.hpp"
#include "channels/text_renderer.hpp"
#include "core/ports/channel.hpp"
#include "core/time.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace countersign::channels::slack {

inline constexpr CardRules card_rules{.text = text_rules,
                                      .units_max = limits::slack_card_units_max,
                                      .can_mention = [](std::string_view who) { return user_of(who).has_value(); }};

// Which press is answered, and how: `quiet` where the card itself says what came of it, so that only a refusal is told.
struct Query {
    std::string chat;
    Private to;
    bool quiet = false;
};
[[nodiscard]] std::string query_name(const Query& query);
[[nodiscard]] std::optional<Query> query_of(std::string_view name);

// Words alone: as a message, and as the answer to a slash command, which its sender alone sees.
[[nodiscard]] Outgoing message_of(const NewMessage& where, const Phrase& words);
[[nodiscard]] Reply command_reply(const Phrase& words);

class SlackRenderer final : public TextRenderer {
public:
    explicit SlackRenderer(Keys keys) : TextRenderer{card_rules, keys} {}

    [[nodiscard]] Outgoing conclusion_reply(const Presentation& presentation, const MessageTarget& spot,
                                            const std::string& document, const Conclusion& conclusion) const override;
    // Below what a person wrote in a thread, or to them alone: see private_name.
    [[nodiscard]] Outgoing reply(const MessageTarget& spot, const Phrase& words) const override;
    [[nodiscard]] Reply in_slot(const Phrase& words, bool alert) const override;
    [[nodiscard]] Outgoing answer(const std::string& query, const Phrase& words, bool alert) const override;
    // Only where no window can be opened any more: a reply to it denies.
    [[nodiscard]] Outgoing reason_wanted(const MessageTarget& spot, const ReasonWanted& wanted,
                                         Language language) const override;
    [[nodiscard]] Outgoing reason_offer(const Presentation& presentation, const MessageTarget& spot,
                                        Language language) const override;

private:
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
    [[nodiscard]] Outgoing file(const MessageTarget& spot, File file) const override;
    [[nodiscard]] bool calls_people(const Presentation& presentation, const MessageTarget& spot) const override;
};

}  // namespace countersign::channels::slack
