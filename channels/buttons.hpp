// SPDX-License-Identifier: Apache-2.0
// The buttons of a card, in rows: what each says, does and looks like. A platform maps them to what it has.
#pragma once

#include "channels/catalogue.hpp"
#include "channels/keys.hpp"
#include "channels/messenger.hpp"
#include "channels/text_rules.hpp"
#include "core/ports/channel.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace countersign::channels {

struct CardButton {
    // What the colour says is ours to say: an option's role is the agent's word and colours nothing.
    enum class Tone { plain, good, lasting, bad } tone = Tone::plain;
    std::string label;
    std::string data;  // the token that a press brings back
};
using ButtonRows = std::vector<std::vector<CardButton>>;

struct ButtonRules {
    TextRules text;
    std::size_t label_units_max;
    std::size_t buttons_max;  // for the choices of a card; beyond them the answer is typed
};

// `may_allow` is false where the whole text was not delivered.
[[nodiscard]] ButtonRows card_buttons(const Presentation& presentation, const MessageTarget& spot, const Keys& keys,
                                      const ButtonRules& rules, bool may_allow);
// One button: deny with the words that its message is below.
[[nodiscard]] ButtonRows offer_button(const Presentation& presentation, const MessageTarget& spot, const Keys& keys,
                                      const ButtonRules& rules, Language language);

}  // namespace countersign::channels
