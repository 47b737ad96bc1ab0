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

Parcel TextRenderer::card(const Presentation& presentation, const MessageTarget& spot, WallTime now) const {
    auto text = card_text(presentation, spot, now);
    const auto whole = whole_card(text, rules_);
    if (fits(whole, presentation, rules_)) return {.card = post_card(presentation, spot, whole, {})};
    const auto brief = [&](bool may_allow) {
        return post_card(presentation, spot, brief_card(text, rules_), {.may_allow = may_allow, .shows_all = false});
    };
    Parcel parcel{.document = document(*presentation.request, presentation.offered, spot,
                                       language_of(presentation.audience.language)),
                  .card = brief(true)};
    text.allow_is_missing = true;
    parcel.without_allow = brief(false);
    return parcel;
}

Outgoing TextRenderer::conclusion(const Presentation& presentation, const MessageTarget& spot,
                                  const std::string& message, const Conclusion& conclusion) const {
    const CardText text{.presentation = presentation, .now = conclusion.at, .conclusion = &conclusion};
    const auto whole = whole_card(text, rules_);
    const auto words = fits(whole, presentation, rules_) ? whole : brief_card(text, rules_);
    return end_card(presentation, spot, message, words, conclusion);
}

Outgoing TextRenderer::end_card(const Presentation& /*presentation*/, const MessageTarget& spot,
                                const std::string& message, const Phrase& words,
                                const Conclusion& /*conclusion*/) const {
    return replace(spot, message, words);
}

Outgoing TextRenderer::earlier(const MessageTarget& spot, const std::string& message,
                               const Conclusion& conclusion) const {
    return replace(spot, message, earlier_text(conclusion, rules_.text));
}

Outgoing TextRenderer::earlier(const MessageTarget& spot, const std::string& message, const EarlierNews& news) const {
    return replace(spot, message, earlier_text(news));
}

Outgoing TextRenderer::reminder(const Presentation& presentation, const MessageTarget& spot, const std::string& message,
                                const Reminder& reminder) const {
    return note_below(spot, message, reminder_text(presentation, reminder, rules_));
}

Outgoing TextRenderer::session_end(const MessageTarget& spot, const SessionEnd& end) const {
    return note(spot, session_end_text(end, rules_.text));
}

Outgoing TextRenderer::announcement(const MessageTarget& spot, const Announcement& announcement) const {
    return note(spot, announcement_text(announcement));
}

Outgoing TextRenderer::document(const Request& request, const std::vector<Option>& offered, const MessageTarget& spot,
                                Language language) const {
    auto text = document_text(request, offered, rules_.text);
    auto caption = document_caption(request.id, text, language);
    return file(spot, {request.id.str() + ".txt", std::move(text), std::move(caption)});
}

}  // namespace countersign::channels
