// SPDX-License-Identifier: Apache-2.0
#include "channels/refusal_words.hpp"

#include "channels/conclusion_words.hpp"
#include "channels/duration.hpp"
#include "security/display.hpp"

namespace countersign::channels {

namespace {

std::string shown_line(std::string_view raw) { return security::display(raw, security::DisplayMode::line); }

// "Too late. Denied by alice on ops, 12 s ago"
Phrase too_late(const EndedBefore& ended, Language language) {
    const auto& [winner, ago] = ended;
    Phrase words{language, Key::too_late};
    words.plain(words_of(winner.outcome, language).word);
    if (!winner.decided_by.empty()) words.say(language, Key::ended_by, {{"person", shown_line(winner.decided_by)}});
    if (!winner.channel.empty()) words.say(language, Key::ended_on, {{"channel", shown_line(winner.channel)}});
    const auto seconds = std::max(std::chrono::duration_cast<std::chrono::seconds>(ago), std::chrono::seconds{0});
    return words.say(language, Key::ended_ago, {{"time", duration(seconds, language), true}});
}

Phrase halt_words(const std::string& name, const Carried& carried, Language language) {
    Phrase words{language, carried.nothing_new ? Key::halted_already : Key::halted, {{"name", name}}};
    const auto add = [&](Key key) { words.plain(" ").say(language, key); };
    if (carried.denied > 0) {
        words.plain(" ").say(language, Key::halt_denied, {{"count", std::to_string(carried.denied), true}});
    }
    if (carried.revoked > 0) {
        words.plain(" ").say(language, Key::halt_revoked, {{"count", std::to_string(carried.revoked), true}});
    }
    if (carried.interrupted > 0) add(Key::halt_interrupted);
    if (carried.not_interrupted > 0) add(Key::halt_goes_on);
    if (!carried.known) add(Key::halt_not_known);
    if (carried.tried_again) {
        add(Key::not_recorded_yet);
    } else if (!carried.nothing_new && !carried.receipt) {
        add(Key::not_recorded);
    }
    return words;
}

Phrase order_refused(const Order& order, const Error& why, Language language) {
    switch (why.code) {
    case Errc::not_authorised:
        return {language, Key::may_not_order, {{"principal", shown_line(order.principal)}}};
    case Errc::late:
        return {language, Key::order_late};
    case Errc::unknown_request:
        return {language, Key::no_such_grant};
    case Errc::unavailable:
        return {language, Key::log_unavailable};
    case Errc::busy:
        return {language, Key::too_busy};
    default:
        return {language, Key::not_done, {{"code", std::string{name(why.code)}}}};
    }
}

}  // namespace

Phrase refusal_words(const Error& why, const Listener& to, const std::optional<EndedBefore>& ended) {
    const auto language = to.language;
    switch (why.code) {
    case Errc::not_authorised:
        return {language, Key::may_not_decide, {{"principal", shown_line(to.principal)}}};
    case Errc::not_shown:
        return {language, Key::not_whole_here};
    case Errc::late:
        return {language, Key::tap_late};
    case Errc::already_decided:
        return ended ? too_late(*ended, language) : Phrase{language, Key::no_longer_open};
    case Errc::already_voted:
        return {language, Key::vote_counted};
    case Errc::unknown_request:
        return {language, Key::no_longer_open};
    case Errc::unknown_option:
        return {language, Key::not_on_offer};
    case Errc::asked_again:
        return {language, Key::asked_again};
    case Errc::away:
        return {language, Key::bridge_waits};
    case Errc::unavailable:
        return {language, Key::log_unavailable};
    case Errc::busy:
        return {language, Key::too_busy};
    default:
        return {language, Key::nothing_decided, {{"code", std::string{name(why.code)}}}};
    }
}

Phrase button_words(Errc code, Language language) {
    switch (code) {
    case Errc::stale:
        return {language, Key::button_expired};
    case Errc::bad_signature:
        return {language, Key::button_not_here};
    default:
        return {language, Key::button_not_ours};
    }
}

Key answer_fault(Errc code) {
    switch (code) {
    case Errc::conflict:
        return Key::answer_needs_number;
    case Errc::malformed:
        return Key::answer_is_empty;
    case Errc::too_large:
        return Key::answer_too_long;
    default:
        return Key::answer_needs_choice;
    }
}

Phrase order_words(const Order& order, const Result<Carried>& carried, Language language) {
    if (!carried) return order_refused(order, carried.error(), language);
    const auto name = shown_line(order.target);
    switch (order.kind) {
    case Order::Kind::halt:
        return halt_words(name, *carried, language);
    case Order::Kind::resume:
        if (carried->nothing_new) return {language, Key::nothing_halted};
        return {language, Key::resumed, {{"name", name}}};
    case Order::Kind::revoke:
        break;
    }
    Phrase words{language, Key::revoked};
    if (!carried->receipt) words.plain(" ").say(language, Key::not_recorded);
    return words;
}

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
