// SPDX-License-Identifier: Apache-2.0
// What the words of one simple command do, by the table of programs.
//
// Read to be safe rather than exact: an abbreviated long option, a letter anywhere in a cluster, and an option after
// the operands all count. `--` ends nothing, because it may be the value of the option before it.
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
    std::size_t name_words = 1;       // how many words name program and subcommand
    friend bool operator==(const CommandDanger&, const CommandDanger&) = default;
};
[[nodiscard]] CommandDanger danger_of(const CommandWords& words);

// The indexes of the words that do more than program and subcommand say, and that a pattern must spell out.
[[nodiscard]] std::vector<std::size_t> words_to_spell_out(const CommandWords& words);

// True when the command reads files that none of its words names: it follows the links below a directory.
[[nodiscard]] bool reads_unnamed_files(const CommandWords& words);

// The values of options that choose files by a pattern (grep --include, rg -g, find -name).
[[nodiscard]] std::vector<std::string_view> file_patterns(const CommandWords& words);

// True when this word of the command is an option that runs a program, writes or deletes.
[[nodiscard]] bool is_dangerous_option(const CommandWords& words, std::string_view word);

// The index of the subcommand: the first word after the program that is neither an option nor, for git, the value of
// one. words.size() if there is none.
[[nodiscard]] std::size_t subcommand_index(const CommandWords& words);

// The texts in a word with one dash that may be the value of a short option: what follows each letter of the cluster.
// `-vtdocs` may mean -v and -t docs. No letter of an option is punctuation, and no longer name can be one of a file.
inline constexpr std::size_t file_name_bytes_max = 255;
[[nodiscard]] std::vector<std::string_view> glued_values(std::string_view word);

// True when an option of the table may be meant by this word.
[[nodiscard]] bool spells_option(std::string_view option, std::string_view word, std::string_view valued_letters);
[[nodiscard]] bool spells_any(std::string_view options, std::string_view word, std::string_view valued_letters);

// The program's name without its directory.
[[nodiscard]] std::string_view program_name(std::string_view word);
// The name of a program of the system: a plain one, or one in /bin or /usr/bin. Empty for any other path, because ./ls
// isn't ls.
[[nodiscard]] std::string_view system_program(std::string_view word);

// What is peculiar to git. Each of its options before the subcommand is known to be harmless, or runs.
[[nodiscard]] CommandDanger git_danger(const CommandWords& words);
[[nodiscard]] Danger danger_of_git_globals(const CommandWords& words);
// True when nothing that the repository's configuration names can be run: the subcommand reads references and the index
// only, and fsmonitor, hooks, lazy fetching and the pager are switched off. log and show aren't among them: the
// configuration can make their default format check signatures.
[[nodiscard]] bool git_is_guarded(const CommandWords& words);

// True when the scripts of these commands only read and print.
[[nodiscard]] bool is_harmless_sed(const CommandWords& words);
[[nodiscard]] bool is_harmless_awk(const CommandWords& words);
[[nodiscard]] bool is_harmless_jq(const CommandWords& words);

}  // namespace countersign
