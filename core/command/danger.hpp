// SPDX-License-Identifier: Apache-2.0
// What the words of one simple command do, according to the table of programs.
//
// Errs on the side of caution: an abbreviated long option, a letter anywhere in a cluster, and an option after the
// operands are all recognised. `--` doesn't end the options, because it may be the value of the option before it.
#pragma once

#include "core/command/table.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace countersign {

using CommandWords = std::vector<std::string>;

struct CommandDanger {
    Danger arguments = Danger::none;  // of an option or operand: no pattern allows it
    Danger nature = Danger::none;     // of program and subcommand: only a pattern that spells those words out allows it
    std::size_t name_words = 1;       // the number of words that name program and subcommand
    friend bool operator==(const CommandDanger&, const CommandDanger&) = default;
};
[[nodiscard]] CommandDanger danger_of(const CommandWords& words);

// The indexes of words that do more than the program and subcommand suggest, so a pattern must spell them out.
[[nodiscard]] std::vector<std::size_t> words_to_spell_out(const CommandWords& words);

// True if the command reads files that none of its words names, because it follows links below a directory.
[[nodiscard]] bool reads_unnamed_files(const CommandWords& words);

// The values of options that select files by a pattern (grep --include, rg -g, find -name).
[[nodiscard]] std::vector<std::string_view> file_patterns(const CommandWords& words);

// True if this word of the command is an option that runs a program, writes or deletes.
[[nodiscard]] bool is_dangerous_option(const CommandWords& words, std::string_view word);

// The index of the subcommand: the first word after the program that isn't an option and, for git, not the value of
// one. words.size() if there is none.
[[nodiscard]] std::size_t subcommand_index(const CommandWords& words);

// The parts of a word with one dash that may be the value of a short option: the text after each letter of the cluster,
// e.g. `-vtdocs` may mean -v and -t docs. Option letters are never punctuation, and a longer text can't be a file name.
inline constexpr std::size_t file_name_bytes_max = 255;
[[nodiscard]] std::vector<std::string_view> glued_values(std::string_view word);

// True if the word may mean this option of the table.
[[nodiscard]] bool spells_option(std::string_view option, std::string_view word, std::string_view valued_letters);
[[nodiscard]] bool spells_any(std::string_view options, std::string_view word, std::string_view valued_letters);

// The program's name without its directory.
[[nodiscard]] std::string_view program_name(std::string_view word);
// The name of a system program: a plain name, or one in /bin or /usr/bin. Empty for any other path, because ./ls isn't
// ls.
[[nodiscard]] std::string_view system_program(std::string_view word);

// Rules specific to git. Each of its options before the subcommand is either known to be harmless or treated as running
// a program.
[[nodiscard]] CommandDanger git_danger(const CommandWords& words);
[[nodiscard]] Danger danger_of_git_globals(const CommandWords& words);
// True if the command can't run anything that the repository's configuration names: its subcommand reads only
// references and the index, and fsmonitor, hooks, lazy fetching and the pager are switched off. log and show aren't
// included, because the configuration can make their default format check signatures.
[[nodiscard]] bool git_is_guarded(const CommandWords& words);

// True if the scripts of these commands only read and print.
[[nodiscard]] bool is_harmless_sed(const CommandWords& words);
[[nodiscard]] bool is_harmless_awk(const CommandWords& words);
[[nodiscard]] bool is_harmless_jq(const CommandWords& words);

}  // namespace countersign
