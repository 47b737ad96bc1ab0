// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/render.hpp"

#include "channels/buttons.hpp"
#include "channels/card_text.hpp"
#include "channels/telegram/bounds.hpp"
#include "channels/telegram/text.hpp"

namespace countersign::channels::telegram {

namespace {

constexpr ButtonRules button_rules{.text = text_rules,
                                   .label_units_max = limits::telegram_button_units_max,
                                   .buttons_max = limits::telegram_buttons_max};

std::string style_of(CardButton::Tone tone) {
    switch (tone) {
    case CardButton::Tone::good:
        return "success";
    case CardButton::Tone::lasting:
        return "primary";
    case CardButton::Tone::bad:
        return "danger";
    case CardButton::Tone::plain:
        break;
    }
    return {};
}

Keyboard keyboard_of(ButtonRows rows) {
    Keyboard keyboard;
    for (auto& row : rows) {
        auto& buttons = keyboard.emplace_back();
        for (auto& button : row) {
            buttons.push_back({std::move(button.label), std::move(button.data), style_of(button.tone)});
        }
    }
    return keyboard;
}

Keyboard keyboard_of(const Presentation& presentation, const MessageTarget& spot, const Keys& keys, bool may_allow) {
    return keyboard_of(card_buttons(presentation, spot, keys, button_rules, may_allow));
}

NewMessage where_of(const MessageTarget& spot) {
    NewMessage where{.chat = spot.target, .thread = spot.thread};
    if (spot.reply_to) where.reply_to = message_number(*spot.reply_to);
    return where;
}

NewMessage below(const MessageTarget& spot, const std::string& message) {
    auto where = where_of(spot);
    where.reply_to = message_number(message);
    return where;
}

SentMessage sent(const MessageTarget& spot, const std::string& message) {
    return {spot.target, message_number(message)};
}

}  // namespace

bool TelegramRenderer::calls_people(const Presentation& presentation, const MessageTarget& /*spot*/) const {
    return presentation.to.chat.starts_with('-');
}

Outgoing TelegramRenderer::post_card(const Presentation& presentation, const MessageTarget& spot, const Phrase& words,
                                     Buttons buttons) const {
    return send_message(where_of(spot), styled(words), keyboard_of(presentation, spot, keys(), buttons.may_allow));
}

Outgoing TelegramRenderer::edit_card(const Presentation& presentation, const MessageTarget& spot,
                                     const std::string& message, const Phrase& words, Buttons buttons) const {
    return edit_message(sent(spot, message), styled(words), keyboard_of(presentation, spot, keys(), buttons.may_allow));
}

Outgoing TelegramRenderer::marks(const Presentation& presentation, const MessageTarget& spot,
                                 const std::string& message) const {
    return edit_keyboard(sent(spot, message), keyboard_of(presentation, spot, keys(), true));
}

Outgoing TelegramRenderer::retired(const MessageTarget& spot, const std::string& message) const {
    return edit_keyboard(sent(spot, message), {});
}

Outgoing TelegramRenderer::conclusion_reply(const Presentation& presentation, const MessageTarget& spot,
                                            const std::string& document, const Conclusion& conclusion) const {
    const auto words = conclusion_text(conclusion, language_of(presentation.audience.language), text_rules);
    return send_reply(sent(spot, document), styled(words));
}

Outgoing TelegramRenderer::note(const MessageTarget& spot, const Note& note) const {
    return send_quietly(where_of(spot), styled(note.words));
}

Outgoing TelegramRenderer::note_below(const MessageTarget& spot, const std::string& message, const Note& note) const {
    return send_message(below(spot, message), styled(note.words), {});
}

Outgoing TelegramRenderer::replace(const MessageTarget& spot, const std::string& message, const Phrase& words,
                                   std::optional<Outcome> /*ended*/) const {
    return edit_message(sent(spot, message), styled(words), {});
}

Outgoing TelegramRenderer::file(const MessageTarget& spot, File file) const {
    return send_document(where_of(spot), {std::move(file.name), std::move(file.text), styled(file.caption)});
}

Outgoing TelegramRenderer::reply(const MessageTarget& spot, const Phrase& words) const {
    return send_reply(sent(spot, spot.reply_to.value_or("")), styled(words));
}

Outgoing TelegramRenderer::answer(const std::string& query, const Phrase& words, bool alert) const {
    return answer_query(query, styled(words).text(), alert);
}

Outgoing TelegramRenderer::reason_wanted(const MessageTarget& spot, const ReasonWanted& wanted,
                                         Language language) const {
    return ask_reply(below(spot, wanted.card), styled(reason_wanted_text(wanted, language)),
                     pattern(language, Key::reason_hint));
}

Outgoing TelegramRenderer::reason_offer(const Presentation& presentation, const MessageTarget& spot,
                                        Language language) const {
    return send_message(below(spot, spot.reply_to.value_or("")), styled(Phrase{language, Key::reply_decides_nothing}),
                        keyboard_of(offer_button(presentation, spot, keys(), button_rules, language)));
}

}  // namespace countersign::channels::telegram
