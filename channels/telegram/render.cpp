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

NewMessage below(const MessageTarget& spot, std::int64_t message) {
    auto where = where_of(spot);
    where.reply_to = message;
    return where;
}

CardText card_of(const Presentation& presentation, const MessageTarget& spot, const Keys& keys, WallTime now) {
    return {.presentation = presentation,
            .now = now,
            .code = keys.codes.code(presentation.request->id, spot.chat),
            .calls_people = presentation.to.chat.starts_with('-')};
}

}  // namespace

Parcel render(const Presentation& presentation, const MessageTarget& spot, const Keys& keys, WallTime now) {
    auto card = card_of(presentation, spot, keys, now);
    const auto keyboard = keyboard_of(presentation, spot, keys, true);
    const auto whole = whole_card(card, card_rules);
    const auto where = where_of(spot);
    if (fits(whole, presentation, card_rules)) return {.card = send_message(where, styled(whole), keyboard)};

    Parcel rendering{.document = render_document(*presentation.request, presentation.offered, spot,
                                                 language_of(presentation.audience.language)),
                     .card = send_message(where, styled(brief_card(card, card_rules)), keyboard)};
    card.allow_is_missing = true;
    rendering.without_allow =
        send_message(where, styled(brief_card(card, card_rules)), keyboard_of(presentation, spot, keys, false));
    return rendering;
}

Call render_marks(const Presentation& presentation, const MessageTarget& spot, const Keys& keys, std::int64_t message) {
    return edit_keyboard({spot.target, message}, keyboard_of(presentation, spot, keys, true));
}

Call render_update(const Presentation& presentation, const MessageTarget& spot, const Keys& keys, WallTime now,
                   std::int64_t message, bool may_allow) {
    auto card = card_of(presentation, spot, keys, now);
    card.is_edit = true;
    card.allow_is_missing = !may_allow;
    const auto whole = styled(whole_card(card, card_rules));
    const auto text = whole.units() <= limits::telegram_text_units_max ? whole : styled(brief_card(card, card_rules));
    return edit_message({spot.target, message}, text, keyboard_of(presentation, spot, keys, may_allow));
}

Call render_conclusion(const Presentation& presentation, const MessageTarget& spot, std::int64_t message,
                       const Conclusion& conclusion) {
    const CardText card{.presentation = presentation, .now = conclusion.at, .conclusion = &conclusion};
    const auto whole = whole_card(card, card_rules);
    const auto text = fits(whole, presentation, card_rules) ? whole : brief_card(card, card_rules);
    return edit_message({spot.target, message}, styled(text), {});
}

Call render_reminder(const Presentation& presentation, const MessageTarget& spot, std::int64_t message,
                     const Reminder& reminder) {
    return send_message(below(spot, message), styled(reminder_text(presentation, reminder, card_rules)), {});
}

Call render_reason_wanted(const MessageTarget& spot, const ReasonWanted& wanted, Language language) {
    return ask_reply(below(spot, message_number(wanted.card)), styled(reason_wanted_text(wanted, language)),
                     pattern(language, Key::reason_hint));
}

Call render_reason_offer(const Presentation& presentation, const MessageTarget& spot, const Keys& keys,
                         std::int64_t reply, Language language) {
    return send_message(below(spot, reply), styled(Phrase{language, Key::reply_decides_nothing}),
                        keyboard_of(offer_button(presentation, spot, keys, button_rules, language)));
}

Call render_session_end(const MessageTarget& spot, const SessionEnd& end) {
    return send_quietly(where_of(spot), styled(session_end_text(end, text_rules)));
}

Call render_conclusion_reply(const MessageTarget& spot, std::int64_t document, const Conclusion& conclusion,
                             Language language) {
    return send_reply({spot.target, document}, styled(conclusion_text(conclusion, language, text_rules)));
}

Call render_earlier(const MessageTarget& spot, std::int64_t message, const Conclusion& conclusion) {
    return edit_message({spot.target, message}, styled(earlier_text(conclusion, text_rules)), {});
}

Call render_earlier(const MessageTarget& spot, std::int64_t message, const EarlierNews& news) {
    return edit_message({spot.target, message}, styled(earlier_text(news)), {});
}

Call render_announcement(const MessageTarget& spot, const Announcement& announcement) {
    return send_quietly(where_of(spot), styled(announcement_text(announcement)));
}

Call render_document(const Request& request, const std::vector<Option>& offered, const MessageTarget& spot,
                     Language language) {
    auto text = document_text(request, offered, text_rules);
    auto caption = styled(document_caption(request.id, text, language));
    return send_document(where_of(spot), {request.id.str() + ".txt", std::move(text), std::move(caption)});
}

}  // namespace countersign::channels::telegram
