// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/render.hpp"

#include "channels/conclusion_words.hpp"
#include "channels/duration.hpp"
#include "channels/terminal/guard.hpp"
#include "channels/terminal/speech.hpp"
#include "channels/terminal/width.hpp"
#include "channels/terminal/word.hpp"

#include <algorithm>
#include <utility>

namespace countersign::channels::terminal {

namespace {

Ink ink_of(Outcome outcome) {
    switch (outcome) {
    case Outcome::allowed:
    case Outcome::answered:
        return Ink::good;
    case Outcome::denied:
    case Outcome::cancelled:
        return Ink::warn;
    default:
        return Ink::bad;
    }
}

std::string outcome_words(const Conclusion& conclusion, Language language) {
    const auto said = channels::words_of(conclusion.outcome, language);
    std::string words{said.word};
    const auto add = [&](Word key, std::string_view name, std::string value) {
        words += text(language, key, {{name, std::move(value)}});
    };
    if (!conclusion.option_label.empty()) words += " (" + guarded_line(conclusion.option_label) + ")";
    if (!conclusion.decided_by.empty()) add(Word::ended_by, "person", shown_line(conclusion.decided_by));
    if (!conclusion.channel.empty()) add(Word::ended_on, "channel", shown_line(conclusion.channel));
    if (conclusion.took.count() > 0) add(Word::ended_after, "time", duration(conclusion.took, language));
    if (!said.meaning.empty()) add(Word::ended_meaning, "meaning", std::string{said.meaning});
    if (!conclusion.answered.empty()) {
        words += pattern(language, Word::semicolon);
        add(Word::answer, "value", guarded_line(conclusion.answered));
    }
    if (const auto reason = reason_beside_meaning(conclusion); !reason.empty()) {
        words += pattern(language, Word::semicolon);
        add(Word::reason, "value", guarded_line(reason));
    }
    if (const auto granted = granted_words(conclusion, language); !granted.empty()) {
        words += pattern(language, Word::semicolon);
        words += granted;
    }
    return words;
}

std::string record_words(const Conclusion& conclusion, Language language) {
    auto words = conclusion.request_id.str();
    if (conclusion.seq != 0 || !conclusion.root.empty()) {
        words += pattern(language, Word::comma);
        words += text(language, Word::record, {{"number", std::to_string(conclusion.seq)}});
    }
    if (const auto anchor = anchor_of(conclusion); !anchor.empty()) {
        words += text(language, Word::anchor, {{"anchor", anchor}});
    }
    return words;
}

// Each row begins two columns in, and none is broken by the terminal itself.
std::string rows(std::string_view mark, std::string_view words, Ink ink, const Style& style) {
    constexpr std::size_t indent = 2;
    std::string out;
    for (const auto piece : wrap(words, style.columns - std::min(style.columns, indent + 1))) {
        out += paint(style, ink, std::string{std::exchange(mark, "  ")} + std::string{piece}) + "\n";
    }
    return out;
}

// The words of a chat, except where those speak of taps.
std::string why_of(const Error& why, const Listener& to) {
    switch (why.code) {
    case Errc::late:
        return text(to.language, Word::came_late);
    case Errc::asked_again:
        return text(to.language, Word::asked_since);
    default:
        return refusal_words(why, to).text();
    }
}

}  // namespace

std::string conclusion(const Conclusion& conclusion, const Style& style, Language language) {
    const auto outcome = outcome_words(conclusion, language);
    const auto record = record_words(conclusion, language);
    const bool unheard = is_decision(conclusion.outcome) && !conclusion.forwarded;
    const auto warning = unheard ? text(language, Word::not_forwarded) : std::string{};
    if (style.plain) return broken(outcome + "\n  " + record + (unheard ? "\n  " + warning : ""), style);
    return rows("■ ", outcome, ink_of(conclusion.outcome), style) + rows("  ", record, Ink::faint, style) +
           (unheard ? rows("  ", warning, Ink::warn, style) : "");
}

std::string progress(const CardState& state, Language language) {
    auto words = text(language, Word::votes,
                      {{"have", std::to_string(state.votes.size())}, {"need", std::to_string(state.required)}});
    auto key = Word::votes_by;
    for (const auto& vote : state.votes) {
        words += text(language, std::exchange(key, Word::and_another), {{"person", shown_line(vote.person)}});
    }
    return words;
}

std::string refused(const Error& why, const Listener& to) {
    auto words = why_of(why, to);
    const auto detail = shown_line(why.detail);
    if (!detail.empty() && words.find(detail) == std::string::npos) words += " (" + detail + ")";
    return words;
}

}  // namespace countersign::channels::terminal
