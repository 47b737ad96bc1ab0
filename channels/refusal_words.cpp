// SPDX-License-Identifier: Apache-2.0
#include "channels/refusal_words.hpp"

#include "channels/conclusion_words.hpp"
#include "channels/duration.hpp"
#include "channels/guard.hpp"

namespace countersign::channels {

namespace {

// "Too late. Denied by alice on ops, 12 s ago"
Phrase too_late(const EndedBefore& ended, Language language) {
    const auto& [winner, ago] = ended;
    Phrase words{language, Key::too_late};
    words.plain(words_of(winner.outcome, language).word);
    if (!winner.decided_by.empty()) words.say(language, Key::ended_by, {{"person", displayed_line(winner.decided_by)}});
    if (!winner.channel.empty()) words.say(language, Key::ended_on, {{"channel", displayed_line(winner.channel)}});
    const auto seconds = std::max(std::chrono::duration_cast<std::chrono::seconds>(ago), std::chrono::seconds{0});
    return words.say(language, Key::ended_ago, {{"time", duration(seconds, language), TextStyle::plain}});
}

}  // namespace

Phrase refusal_words(const Error& why, const Listener& to, const std::optional<EndedBefore>& ended) {
    const auto language = to.language;
    switch (why.code) {
    case Errc::not_authorised:
        return {language, Key::may_not_decide, {{"principal", displayed_line(to.principal)}}};
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
        return {language, Key::log_unavailable, {{"why", displayed_line(why.detail)}}};
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
    case Errc::not_shown:
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

}  // namespace countersign::channels
