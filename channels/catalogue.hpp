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
enum class Key : std::uint16_t {
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
    shown_again,
    votes_again,
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
    session_halted,
    agent_failed,
    // Questions.
    question_alone,
    question_number,
    question_optional,
    question_multiple,
    question_free_text,
    question_secret,
    submit,
    cancel,
    // Where a window can be opened from a card.
    open_answer,
    open_whole_text,
    own_answer,
    close_window,
    // What an option does.
    means_unknown,
    means_deny,
    means_cancel,
    means_once,
    means_session,
    means_always,
    grant_session_label,
    grant_always_label,
    label_allow,
    label_deny,
    label_cancel,
    deny_all,
    deny_and_say_why,
    deny_with_this,
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
    granted_session,
    granted_always,
    not_forwarded,
    restarted_waits,
    restarted_goes_on,
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
    // What somebody is answered who pressed something.
    recorded,
    recorded_outcome,
    vote_recorded,
    being_worked_on,
    button_expired,
    button_not_here,
    button_not_ours,
    card_replaced,
    bots_decide_nothing,
    may_not_decide,
    not_whole_here,
    allow_needs_code,
    tap_late,
    too_late,
    ended_ago,
    vote_counted,
    no_longer_open,
    not_on_offer,
    asked_again,
    bridge_waits,
    log_unavailable,
    too_busy,
    nothing_decided,
    // Answers to a question, as they are gathered.
    chosen,
    chosen_nothing,
    answer_written,
    noted,
    not_answered_yet,
    answer_needs_number,
    answer_is_empty,
    answer_too_long,
    answer_needs_choice,
    secret_not_taken,
    // What somebody is answered who wrote something.
    who_are_you,
    forwarded_words,
    edited_words,
    automatic_words,
    answers_elsewhere,
    stranger,
    not_in_this_release,
    no_such_code,
    codes_locked,
    open_here,
    open_for_you,
    halted_now,
    halted_by,
    halted_session_by,
    halted_any_session_by,
    none_listed,
    and_more,
    no_question,
    is_question,
    unclear_choice,
    reply_decides_nothing,
    reason_wanted,
    prompt_of_another,
    prompt_there,
    reply_not_known,
    offer_of_another,
    reason_hint,
    reply_with_reason,
    no_such_command,
    write_more,
    code_missing,
    hello,
    // Grants, and what stops an agent.
    ask_privately,
    grants_now,
    grant_line,
    grant_for_session,
    grant_for_always,
    no_such_grant,
    revoked,
    revoke_not_recorded,
    order_needs_name,
    may_not_order,
    order_late,
    not_done,
    halted,
    halted_already,
    halt_denied,
    halt_revoked,
    halt_interrupted,
    halt_goes_on,
    halt_interrupting,
    halts_full,
    halt_not_known,
    not_recorded,
    not_recorded_yet,
    resumed,
    nothing_halted,
    // Help: a line for each command.
    help_approve,
    help_approve_label,
    help_longer,
    help_deny,
    help_answer,
    help_more,
    help_pending,
    help_grants,
    help_halt,
    help_code,
    help_here,
    // The app's own menu of commands: what each does, without its argument.
    menu_pending,
    menu_approve,
    menu_deny,
    menu_more,
    menu_answer,
    menu_grants,
    menu_revoke,
    menu_halt,
    menu_resume,
    menu_help,
    // The terminal.
    note,
    tally,
    until_field,
    time_after_shown,
    call_title,
    call_again,
    call_line_of,
    blank_lines,
    lines_above,
    options_title,
    question_hidden,
    colon,
    detail,
    semicolon,
    comma,
    // What the widget says below the card.
    more_waiting,
    lines_held,
    lines_left_out,
    waiting_for_record,
    keys_approval,
    keys_reason,
    keys_submit,
    keys_text,
    keys_choice,
    keys_choices,
    keys_back,
    keys_next,
    keys_cancel,
    field_reason,
    field_answer,
    field_secret,
    type_something,
    escape_refuses,
    escape_cancels,
    escape_cancels_question,
    paste_decides_nothing,
    paste_answers_nothing,
    move_first,
    choose_first,
    empty_text,
    still_open,
    text_too_long,
    // The same by lines.
    type_option,
    type_number,
    type_numbers,
    type_answer,
    or_answer,
    or_nothing,
    or_cancel,
    type_submit,
    none_given,
    secret_given,
    nothing_decided_yet,
    line_too_early,
    line_begun_before,
    line_too_long,
    line_dropped,
    being_recorded,
    mere_agreement,
    label_deceives,
    no_such_choice,
    reason_too_long,
    answer_wanted,
    only_one,
    line_answer_too_long,
    not_submitted,
    nothing_waits,
    terminal_closes,
    // What the process says above the card.
    not_accepted,
    turn_ended,
    not_said,
    waits_for_other,
    waits_for_others,
    ended_despite_other,
    ended_despite_others,
    reloaded,
    not_reloaded,
    // Why nothing was decided, where a chat speaks of taps.
    came_late,
    asked_since,
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
