// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/render.hpp"

#include "channels/conclusion_words.hpp"
#include "channels/duration.hpp"
#include "channels/terminal/guard.hpp"
#include "channels/terminal/width.hpp"

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

std::string outcome_words(const Conclusion& conclusion) {
    std::string words{name(conclusion.outcome)};
    if (!conclusion.option_label.empty()) words += " (" + guarded_line(conclusion.option_label) + ")";
    if (!conclusion.decided_by.empty()) words += " by " + shown_line(conclusion.decided_by);
    if (!conclusion.channel.empty()) words += " on " + shown_line(conclusion.channel);
    if (conclusion.took.count() > 0) words += " after " + duration(conclusion.took);
    if (!is_decision(conclusion.outcome)) words += ": " + std::string{words_of(conclusion.outcome).meaning};
    if (!conclusion.answered.empty()) words += "; answer: " + guarded_line(conclusion.answered);
    const auto reason = reason_beside_meaning(conclusion);
    if (!reason.empty()) words += "; reason: " + guarded_line(reason);
    return words;
}

std::string record_words(const Conclusion& conclusion) {
    auto words = conclusion.request_id.str();
    if (conclusion.seq != 0 || !conclusion.root.empty()) {
        words += ", record " + std::to_string(conclusion.seq);
    }
    if (const auto anchor = anchor_of(conclusion); !anchor.empty()) words += ", anchor " + anchor;
    if (is_decision(conclusion.outcome) && !conclusion.forwarded) words += "; the agent does not have the answer";
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

std::string_view words_of(Errc code) {
    switch (code) {
    case Errc::not_authorised:
        return "you may not decide this";
    case Errc::not_shown:
        return "the whole text was not shown here";
    case Errc::late:
        return "that came too late to count";
    case Errc::asked_again:
        return "it was asked again since you looked";
    case Errc::already_decided:
        return "somebody was first";
    case Errc::already_voted:
        return "your vote is counted already";
    case Errc::unknown_request:
        return "it is no longer open";
    case Errc::unknown_option:
        return "that is not on offer";
    case Errc::unavailable:
        return "a part that is needed does not work now";
    default:
        return "it was not accepted";
    }
}

}  // namespace

std::string conclusion(const Conclusion& conclusion, const Style& style) {
    if (style.plain) return outcome_words(conclusion) + "\n  " + record_words(conclusion) + "\n";
    return rows("■ ", outcome_words(conclusion), ink_of(conclusion.outcome), style) +
           rows("  ", record_words(conclusion), Ink::faint, style);
}

std::string progress(const CardState& state) {
    auto words = std::to_string(state.votes.size()) + " of " + std::to_string(state.required);
    auto separator = std::string{": "};
    for (const auto& vote : state.votes) words += std::exchange(separator, ", ") + shown_line(vote.person);
    return words;
}

std::string refusal_words(const Error& why) {
    auto words = "nothing was decided: " + std::string{words_of(why.code)};
    if (!why.detail.empty()) words += " (" + shown_line(why.detail) + ")";
    return words;
}

}  // namespace countersign::channels::terminal
