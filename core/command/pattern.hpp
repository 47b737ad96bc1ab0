// SPDX-License-Identifier: Apache-2.0
// Compares a rule's `command` pattern with the words of a simple command.
//
// A pattern consists of words with `*` and `?`; a final word `*` matches any number of further words. Rules that allow
// a call or lower its risk are compared strictly, word by word. Rules that deny or raise are compared loosely: flags
// match in any position.
#pragma once

#include "core/command/danger.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace countersign {

// How certainly a rule applies to a call. For `maybe`, people must judge.
enum class Fit { no, maybe, yes };  // ordered by certainty
[[nodiscard]] inline Fit sure(bool fits) { return fits ? Fit::yes : Fit::no; }

// The words of a pattern to compare with a command of `count` words; a final `*` is repeated as needed.
[[nodiscard]] std::vector<std::string_view> pattern_words(std::string_view pattern, std::size_t count);

// Strict: every word of the pattern matches the word at the same position.
[[nodiscard]] bool command_fits(std::string_view pattern, const CommandWords& words);

// Strict, for a rule that allows a call or lowers its risk. Never true if an option or operand runs a program, writes
// or deletes, or if a word does more than its subcommand suggests (git push -f) and the pattern doesn't contain that
// word. If the program or subcommand itself does so, isn't in the table or is named by a path, the pattern must spell
// it out without a wildcard. An empty pattern matches only harmless commands. `elsewhere`: the call chose the directory
// in which it runs.
[[nodiscard]] bool command_is_covered(std::string_view pattern, const CommandWords& words, bool elsewhere);

// Loose, for a rule that denies, asks or raises. The words that aren't flags must match in order. Each flag of the
// pattern must be among the words, possibly abbreviated, in a cluster, with a value in its own or the next word, or as
// an alias from the table. Other flags are ignored. A program is identified by its name in any directory. A command
// whose arguments run a program may run anything, so the result is at least `maybe`.
[[nodiscard]] Fit command_may_fit(std::string_view pattern, const CommandWords& words);

// Why a pattern can match no command at all or, in an allow rule, none that may be allowed.
enum class PatternFlaw { none, list, wrapper, option };
struct FlawedWord {
    PatternFlaw flaw = PatternFlaw::none;
    std::string_view word;  // the word that causes it
};
[[nodiscard]] FlawedWord flaw_of(std::string_view pattern, bool allows);

}  // namespace countersign
