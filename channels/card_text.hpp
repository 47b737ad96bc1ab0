// SPDX-License-Identifier: Apache-2.0
// The text of every message of a chat platform, in neutral style and as long as the platform allows.
#pragma once

#include "channels/catalogue.hpp"
#include "channels/messenger.hpp"
#include "channels/phrase.hpp"
#include "channels/text_rules.hpp"
#include "core/ports/channel.hpp"
#include "core/request.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels {

struct CardRules {
    TextRules text;
    std::size_t units_max;                            // of one message
    bool (*can_mention)(std::string_view principal);  // somebody whom the platform can call
};

struct CardText {
    const Presentation& presentation;
    WallTime now;                            // for the time left; not used in a conclusion
    std::string code = {};                   // to be typed in this chat
    bool calls_people = false;               // in a group; who is written to alone hears it anyway
    bool is_edit = false;                    // then the time left is not counted: nobody sees when it was
    const Conclusion* conclusion = nullptr;  // then it is a look back, not a question
    bool allow_is_missing = false;           // the document was not delivered
};

// Everything, however long.
[[nodiscard]] Phrase whole_card(const CardText& card, const CardRules& rules);
// What fits into one message: each part cut, and the SHA-256 of the text that has the rest.
[[nodiscard]] Phrase brief_card(const CardText& card, const CardRules& rules);
// What a card may have when it is sent, so that it has room for the lines that may be added while it is open.
[[nodiscard]] std::size_t card_units_max(const Presentation& presentation, const CardRules& rules);
// Whether whole_card can be sent, also with those lines.
[[nodiscard]] bool fits(const Phrase& whole, const Presentation& presentation, const CardRules& rules);

// The text that the card is about. Beside it stand the details of options that a brief card had to cut.
[[nodiscard]] std::string document_text(const Request& request, const std::vector<Option>& offered,
                                        const TextRules& rules);
// What stands below the file with it.
[[nodiscard]] Phrase document_caption(const Ulid& request, std::string_view document, Language language);

// How it ended, in lines.
[[nodiscard]] Phrase conclusion_text(const Conclusion& conclusion, Language language, const TextRules& rules);
// In the place of a card of an earlier process.
[[nodiscard]] Phrase earlier_text(const Conclusion& conclusion, const TextRules& rules);
[[nodiscard]] Phrase earlier_text(const EarlierNews& news);
[[nodiscard]] Phrase reminder_text(const Presentation& presentation, const Reminder& reminder, const CardRules& rules);
[[nodiscard]] Phrase session_end_text(const SessionEnd& end, const TextRules& rules);
[[nodiscard]] Phrase reason_wanted_text(const ReasonWanted& wanted, Language language);
// White space at the end is left out: platforms take it off.
[[nodiscard]] Phrase announcement_text(const Announcement& announcement);

}  // namespace countersign::channels
