// SPDX-License-Identifier: Apache-2.0
#include "channels/text_renderer.hpp"

#include <utility>

namespace countersign::channels {

CardText TextRenderer::card_text(const Presentation& presentation, const MessageTarget& spot, WallTime now) const {
    return {.presentation = presentation,
            .now = now,
            .code = keys_.codes.code(presentation.request->id, spot.chat),
            .calls_people = calls_people(presentation, spot)};
}

std::optional<Phrase> TextRenderer::whole_words(const CardText& card, const MessageTarget& /*spot*/) const {
    auto words = whole_card(card, rules_);
    // An edit may take the room that was kept free for it.
    const bool has_room =
        card.is_edit ? rules_.text.units(words) <= rules_.units_max : fits(words, card.presentation, rules_);
    return has_room ? std::optional{std::move(words)} : std::nullopt;
}

Phrase TextRenderer::brief_words(const CardText& card, const MessageTarget& /*spot*/) const {
    return brief_card(card, rules_);
}

Parcel TextRenderer::card(const Presentation& presentation, const MessageTarget& spot, WallTime now) const {
    auto text = card_text(presentation, spot, now);
    if (const auto whole = whole_words(text, spot)) return {.card = post_card(presentation, spot, *whole, {})};
    const auto brief = [&](bool may_allow) {
        return post_card(presentation, spot, brief_words(text, spot), {.may_allow = may_allow, .shows_all = false});
    };
    const auto language = language_of(presentation.audience.language);
    Parcel parcel{
        .document = file_of_card(presentation, spot, whole_text(*presentation.request, presentation.offered, language)),
        .card = brief(true)};
    text.allow_is_missing = true;
    parcel.without_allow = brief(false);
    return parcel;
}

Outgoing TextRenderer::update(const Presentation& presentation, const MessageTarget& spot, const std::string& message,
                              WallTime now, bool may_allow) const {
    auto text = card_text(presentation, spot, now);
    text.is_edit = true;
    text.allow_is_missing = !may_allow;
    const auto whole = may_allow ? whole_words(text, spot) : std::nullopt;
    const auto words = whole ? *whole : brief_words(text, spot);
    return edit_card(presentation, spot, message, words, {.may_allow = may_allow, .shows_all = whole.has_value()});
}

Outgoing TextRenderer::retired(const MessageTarget& spot, const std::string& message) const {
    return replace(spot, message, Phrase{Language{}, Key::card_replaced}, std::nullopt);
}

Outgoing TextRenderer::conclusion(const Presentation& presentation, const MessageTarget& spot,
                                  const std::string& message, const Conclusion& conclusion) const {
    const CardText text{.presentation = presentation, .now = conclusion.at, .conclusion = &conclusion};
    const auto whole = whole_words(text, spot);
    return end_card(presentation, spot, message, whole ? *whole : brief_words(text, spot), conclusion);
}

Outgoing TextRenderer::end_card(const Presentation& /*presentation*/, const MessageTarget& spot,
                                const std::string& message, const Phrase& words, const Conclusion& conclusion) const {
    return replace(spot, message, words, conclusion.outcome);
}

Outgoing TextRenderer::earlier(const MessageTarget& spot, const std::string& message,
                               const Conclusion& conclusion) const {
    return replace(spot, message, earlier_text(conclusion, rules_.text), conclusion.outcome);
}

Outgoing TextRenderer::earlier(const MessageTarget& spot, const std::string& message, const EarlierNews& news) const {
    return replace(spot, message, earlier_text(news), std::nullopt);
}

Outgoing TextRenderer::reminder(const Presentation& presentation, const MessageTarget& spot, const std::string& message,
                                const Reminder& reminder) const {
    return note_below(spot, message,
                      {.words = reminder_text(presentation, reminder, rules_),
                       .identity = {"reminder", message, std::to_string(reminder.waited.count())}});
}

Outgoing TextRenderer::session_end(const MessageTarget& spot, const SessionEnd& end) const {
    return note(spot,
                {.words = session_end_text(end, rules_.text),
                 .identity = {"session", end.agent_id, end.session_key, end.failure, spot.reply_to.value_or("")}});
}

Outgoing TextRenderer::announcement(const MessageTarget& spot, const Announcement& announcement) const {
    return note(spot, {.words = announcement_text(announcement),
                       .identity = {"announcement", std::to_string(announcement.id), announcement.heading,
                                    announcement.exact}});
}

TextRenderer::File TextRenderer::whole_text(const Request& request, const std::vector<Option>& offered,
                                            Language language) const {
    auto text = document_text(request, offered, rules_.text);
    auto caption = document_caption(request.id, text, language);
    return {request.id.str() + ".txt", std::move(text), std::move(caption)};
}

Outgoing TextRenderer::document(const Request& request, const std::vector<Option>& offered, const MessageTarget& spot,
                                Language language) const {
    return file(spot, whole_text(request, offered, language));
}

Outgoing TextRenderer::file_of_card(const Presentation& /*presentation*/, const MessageTarget& spot, File file) const {
    return this->file(spot, std::move(file));
}

}  // namespace countersign::channels
