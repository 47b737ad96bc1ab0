// SPDX-License-Identifier: Apache-2.0
#include "channels/help_words.hpp"

namespace countersign::channels {

Phrase help_words(Language language) {
    Phrase help;
    const auto line = [&](Key key, std::initializer_list<Insert> inserts) {
        help.say(language, key, inserts).plain("\n");
    };
    line(Key::help_approve, {{"command", "approve CODE"}});
    line(Key::help_approve_label, {{"command", "approve CODE LABEL"}});
    line(Key::help_longer, {{"session", "session CODE"}, {"always", "always CODE"}});
    line(Key::help_deny, {{"command", "deny CODE WHY"}});
    line(Key::help_answer, {{"command", "answer CODE TEXT"}});
    line(Key::help_more, {{"command", "more CODE"}});
    line(Key::help_pending, {{"command", "pending"}});
    line(Key::help_grants, {{"grants", "grants"}, {"revoke", "revoke CODE"}});
    line(Key::help_halt, {{"halt", "halt NAME"}, {"resume", "resume NAME"}});
    return help.plain("\n").say(language, Key::help_code);
}

}  // namespace countersign::channels
