// SPDX-License-Identifier: Apache-2.0
// What a person typed, as a command: the same words on every channel.
//
// Pure. A text is a command only if it begins with a verb of the list; "ok" and "yes" are no decisions, because nobody
// can say what they were about.
#pragma once

#include "core/option.hpp"
#include "core/result.hpp"
#include "core/ulid.hpp"
#include "security/short_code.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels {

enum class Verb {
    approve,
    deny,
    always,
    session,
    answer,
    pending,
    more,
    help,
    grants,
    revoke,
    halt,         // whom is in `rest`
    resume,       // the same
    start,        // the platform's own first word of a private chat; its argument is in `rest`
    unavailable,  // a word that will be a command: auto, interactive, console
    unknown,      // marked as a command and meant for us, but not in the list; `word` is as typed
};

// An id as it was typed: the whole approvalId or its short code. Neither, and it names nothing.
struct TypedId {
    std::optional<Ulid> ulid;
    std::string code;   // in the form it was sent in; empty if it is none
    std::string typed;  // for the reply; somebody's own text: sanitise before showing
    friend bool operator==(const TypedId&, const TypedId&) = default;
};

struct Command {
    Verb verb = Verb::help;
    std::string word;  // the verb as it is written in the list
    TypedId id;
    std::string rest;  // after the id, or after the verb where that takes none; without blanks around
    friend bool operator==(const Command&, const Command&) = default;
};

struct CommandRules {
    bool bare_words = false;    // "deny K7…" without / or !: in direct messages only
    std::string_view bot_name;  // as in /approve@name; a command for another name is none of ours
};

// Nothing if it isn't a command, or one for another bot, or longer than command_bytes_max. A marked word that isn't in
// the list is Verb::unknown only where it's certainly meant for us: in a direct message, or with our name behind it.
[[nodiscard]] std::optional<Command> parse_command(std::string_view text, const CommandRules& rules);

// Which of these requests was meant. `audiences` are the names of the chat that codes may be bound to.
[[nodiscard]] std::optional<Ulid> find_request(const TypedId& id, std::span<const Ulid> shown_here,
                                               std::span<const std::string> audiences,
                                               const security::ShortCodes& codes);

// The option that the verb means: approve the only allow/once, session and always the only known allow of that scope,
// deny what a refusal is. `named` picks an allow by label or id. Errc::unknown_option with the list of what there is
// when none or several fit: then nothing is decided.
[[nodiscard]] Result<Option> option_for(const Command& command, const std::vector<Option>& offered);

}  // namespace countersign::channels
