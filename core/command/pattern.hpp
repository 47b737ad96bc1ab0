// SPDX-License-Identifier: Apache-2.0
// How a rule's `command` pattern is compared with the words of a simple command.
//
// A pattern is words with `*` and `?`; a last word `*` stands for any number of further words. What makes it easier for
// a call is compared strictly, word by word. What makes it harder is compared loosely: flags match in any position.
#pragma once

#include "core/command/danger.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace countersign {

// How surely a rule speaks of a call. `maybe` is for people to judge.
enum class Fit { no, maybe, yes };  // in order
[[nodiscard]] inline Fit sure(bool fits) { return fits ? Fit::yes : Fit::no; }

// The words of a pattern that a command of `count` words is compared with: those that a last `*` stands for are `*`.
[[nodiscard]] std::vector<std::string_view> pattern_words(std::string_view pattern, std::size_t count);

// Strict: every word of the pattern fits the word at its place.
[[nodiscard]] bool command_fits(std::string_view pattern, const CommandWords& words);

// Strict, and for a rule that allows or lowers: never true when an option or operand runs a program, writes or deletes,
// nor for a word that does more than its subcommand says (git push -f) and that the pattern doesn't have itself,
// nor for a program or subcommand that does so by nature, that the table doesn't have or that is named by a path,
// unless the pattern spells it out without a wildcard. An empty pattern fits harmless commands only. `elsewhere`: the
// call chose the directory in which it runs.
[[nodiscard]] bool command_is_covered(std::string_view pattern, const CommandWords& words, bool elsewhere);

// Loose, for a rule that denies, asks or raises. The words that aren't flags must fit in order. Each flag of the
// pattern must be among the words: also abbreviated, within a cluster, with a value in its word or in the next one, or
// as its alias of the table. Other flags are passed over. A program is known by its name, whatever its directory. A
// command whose arguments run a program may run anything, so for it the least is `maybe`.
[[nodiscard]] Fit command_may_fit(std::string_view pattern, const CommandWords& words);

// Why a pattern can fit no command at all, or, for a rule that allows, none that may be allowed.
enum class PatternFlaw { none, list, wrapper, option };
struct FlawedWord {
    PatternFlaw flaw = PatternFlaw::none;
    std::string_view word;  // the word that is to blame
};
[[nodiscard]] FlawedWord flaw_of(std::string_view pattern, bool allows);

}  // namespace countersign
