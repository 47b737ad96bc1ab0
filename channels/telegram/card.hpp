// SPDX-License-Identifier: Apache-2.0
// The text of a card, as long as it is allowed to be. Part of render.
#pragma once

#include "channels/catalogue.hpp"
#include "channels/telegram/render.hpp"
#include "channels/telegram/text.hpp"

#include <optional>
#include <string>

namespace countersign::channels::telegram {

struct CardText {
    const Presentation& presentation;
    WallTime now;                            // for the time left; not used in a conclusion
    std::string code = {};                   // to be typed in this chat
    bool is_edit = false;                    // then the time left is not counted: nobody sees when it was
    const Conclusion* conclusion = nullptr;  // then it is a look back, not a question
    bool allow_is_missing = false;           // the document was not delivered
};

// Everything, however long.
[[nodiscard]] StyledText whole_card(const CardText& card);
// What fits into one message: each part cut, and the SHA-256 of the text that has the rest.
[[nodiscard]] StyledText brief_card(const CardText& card);
// What a card may have when it is sent, so that it has room for the lines that may be added while it is open.
[[nodiscard]] std::size_t card_units_max(const Presentation& presentation);
// Whether whole_card can be sent, also with those lines.
[[nodiscard]] bool fits(const StyledText& whole, const Presentation& presentation);

// The lines that say how it ended.
void conclusion_lines(StyledText& out, const Conclusion& conclusion, Language language);

// The text that the card is about. Beside it stand the details of options that a brief card had to cut.
[[nodiscard]] std::string document_text(const Request& request, const std::vector<Option>& offered);

}  // namespace countersign::channels::telegram
