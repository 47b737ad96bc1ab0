// SPDX-License-Identifier: Apache-2.0
// What people are told, in their language. The words are in catalogue_texts.hpp, which is all that a translator edits;
// here is what they are asked for by. Pure.
//
// Names, labels and commands are not translated: an agent's words stay the agent's, and what can be typed is the same
// for everybody. Digits and UTC stay too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels {

// One of the catalogue's; made by language_of. The default is English.
struct Language {
    std::uint8_t column = 0;
    friend bool operator==(Language, Language) = default;
};

// "de" and "de-AT" are German. Nothing for a language that the catalogue does not have.
[[nodiscard]] std::optional<Language> known_language(std::string_view tag);
// The same, and English for what is not known.
[[nodiscard]] Language language_of(std::string_view tag);
// Their tags, in the catalogue's order.
[[nodiscard]] std::vector<std::string_view> language_tags();

// In the order of the rows in catalogue_texts.hpp.
enum class Key : std::uint8_t {
    // The card.
    approval_wanted,
    question,
    agent,
    session,
    requester,
    tool,
    directory,
    host,
    repository,
    repository_and_branch,
    branch,
    risk,
    risk_low,
    risk_medium,
    risk_high,
    host_looks_alike,
    host_mixes_scripts,
    host_unreadable,
    host_stands_for,
    host_ascii,
    arguments_missing,
    beginning,
    change,
    own_words,
    read_the_file,
    only_refuse,
    was_too_long,
    whole_text_digest,
    needs_people,
    votes,
    votes_by,
    and_another,
    until,
    time_left,
    time_over,
    no_time_limit,
    calling,
    asked_times,
    still_asking,
    write_approve_or_deny,
    write_deny,
    write_answer,
    id,
    // Below a card, while nobody answers; and below the first one of a session, when it is over.
    still_waiting,
    session_ended,
    agent_failed,
    // Questions.
    question_number,
    question_optional,
    question_multiple,
    question_free_text,
    question_secret,
    submit,
    cancel,
    // What an option does.
    means_unknown,
    means_deny,
    means_cancel,
    means_once,
    means_session,
    means_always,
    label_allow,
    label_deny,
    label_cancel,
    deny_all,
    // How it ended.
    allowed,
    denied,
    answered,
    cancelled,
    expired,
    expired_meaning,
    withdrawn,
    withdrawn_meaning,
    undeliverable,
    undeliverable_meaning,
    lost,
    lost_meaning,
    unlogged,
    unlogged_meaning,
    indeterminate,
    indeterminate_meaning,
    ended,
    ended_by,
    ended_on,
    ended_after,
    ended_meaning,
    ended_at,
    answer,
    reason,
    record,
    anchor,
    not_forwarded,
    // The file.
    whole_text_of,
    file_digest,
    // Spans of time.
    milliseconds,
    seconds,
    minutes,
    hours,
    days,
    two_spans,
    end_of_keys,  // no key: how many there are
};

// The words with their places: "by {person}".
[[nodiscard]] std::string_view pattern(Language language, Key key);

// A part of a pattern: words, or the name of a place.
struct PatternPart {
    std::string_view text;
    bool place = false;
};
// Takes the first part off. Precondition: a pattern of the catalogue, not empty.
constexpr PatternPart next_part(std::string_view& rest) {
    const bool place = rest.front() == '{';
    const auto end = place ? rest.find('}') : rest.find('{');
    const auto length = end == std::string_view::npos ? rest.size() : end;
    const PatternPart part{rest.substr(place ? 1 : 0, place ? length - 1 : length), place};
    rest.remove_prefix(place ? length + 1 : length);
    return part;
}

struct Argument {
    std::string_view name;
    std::string value;
};
// The words with the arguments in their places, as plain text. A place without an argument stays as it is written.
[[nodiscard]] std::string text(Language language, Key key, std::initializer_list<Argument> arguments = {});

}  // namespace countersign::channels
