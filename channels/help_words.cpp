// SPDX-License-Identifier: Apache-2.0
#include "channels/help_words.hpp"

namespace countersign::channels {

Phrase help_words(Language language, std::string_view mark) {
    Phrase help;
    const auto typed = [mark](std::string_view words) { return std::string{mark}.append(words); };
    const auto line = [&](Key key, std::initializer_list<Insert> inserts) {
        help.say(language, key, inserts).plain("\n");
    };
    line(Key::help_approve, {{"command", typed("approve CODE")}});
    line(Key::help_approve_label, {{"command", typed("approve CODE LABEL")}});
    line(Key::help_longer, {{"session", typed("session CODE")}, {"always", typed("always CODE")}});
    line(Key::help_deny, {{"command", typed("deny CODE WHY")}});
    line(Key::help_answer, {{"command", typed("answer CODE TEXT")}});
    line(Key::help_more, {{"command", typed("more CODE")}});
    line(Key::help_pending, {{"command", typed("pending")}});
    line(Key::help_grants, {{"grants", typed("grants")}, {"revoke", typed("revoke CODE")}});
    line(Key::help_halt, {{"halt", typed("halt NAME")}, {"resume", typed("resume NAME")}});
    return help.plain("\n").say(language, Key::help_code);
}

}  // namespace countersign::channels
