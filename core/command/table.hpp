// SPDX-License-Identifier: Apache-2.0
// The table of programs: what each does by nature, and which of its options run a program, write or delete a file.
//
// Risk and policy both read it. A program that isn't in it isn't known to be harmless: risk calls it unknown and high.
#pragma once

#include <string>
#include <string_view>

namespace countersign {

// What a command does beyond reading and printing. `repository`: it runs what the configuration of the repository names
// (core.fsmonitor, filters, hooks).
enum class Danger { none, repository, writes, deletes, runs };  // in order

// How the words that aren't options are read.
enum class Operands {
    plain,
    sed_script,
    awk_program,
    jq_filter,
    second_writes,
    sets_clock,
    bsd_options,
    evaluated,
    run,          // each of them may be a command
    old_options,  // the first one is a cluster of options without its dash: tar xIf
    sql_shell,    // those of sqlite3: dot commands, and SQL that runs, reads or writes files
    formats,      // those of curl: a format may name a file to write
    ip_object,    // those of ip, which takes abbreviations
};

// Lists are words with blanks between them. An option is spelled `-x`, `--long` or `-long` (one dash; fits every word
// that begins with it). `name=` fits operands that begin with it, `+` those that begin with a plus.
struct ProgramRow {
    std::string_view names;
    Danger nature = Danger::none;
    std::string_view runs = {};
    std::string_view writes = {};
    std::string_view deletes = {};
    std::string_view valued = {};  // letters of short options that take the rest of their word as a value
    Operands operands = Operands::plain;
    std::string_view spelled = {};  // see SubcommandRow
    // Options with which it reads files that no word names: behind the links below a directory, or from a list. Such a
    // command reads outside the working directory, and a pattern allows it only where it has that very word.
    std::string_view strays = {};
    std::string_view selects = {};  // options whose value is a pattern of files
};

// A subcommand that does more than its program by nature, and the options that only it has.
//
// `spelled`: options and operands that do more than the subcommand says (git stash drop, git push :main). A pattern
// allows them only where it has the same word without a wildcard. `word` fits that operand, `:` and `+` the operands
// that begin so, `=` those with a `=` in them, and `*` every word, unless the first one is among `reads`.
struct SubcommandRow {
    std::string_view program;  // or several
    std::string_view names;
    Danger nature = Danger::none;
    std::string_view runs = {};
    std::string_view writes = {};
    std::string_view spelled = {};
    std::string_view reads = {};
};

// Two spellings of one option; an operator who names one means the other too.
struct AliasRow {
    std::string_view program;
    std::string_view subcommand;  // empty for a program without subcommands
    std::string_view one;
    std::string_view other;
};

[[nodiscard]] bool lists_word(std::string_view list, std::string_view word);

// The name that the table has for a program: python3.12 is python, and some file systems take RM for rm. Any other
// program is called as it is.
[[nodiscard]] std::string known_name(std::string_view program);

// Null for a program that isn't in the table.
[[nodiscard]] const ProgramRow* program_row(std::string_view program);
[[nodiscard]] const SubcommandRow* subcommand_row(std::string_view program, std::string_view subcommand);
[[nodiscard]] bool has_subcommands(std::string_view program);
// True when `given`, which may be an abbreviated long option, is another spelling of `wanted`.
[[nodiscard]] bool is_alias(std::string_view program, std::string_view subcommand, std::string_view wanted,
                            std::string_view given);

// True for a program that runs other words of its command line, or text that isn't in it, as a command.
[[nodiscard]] bool is_wrapper(std::string_view program);
// True for a shell builtin after which the next command of a list no longer means what it says (cd, export, read …).
[[nodiscard]] bool changes_the_shell(std::string_view program);

// Every row, for tests that try each option in each spelling.
[[nodiscard]] const ProgramRow* program_rows_begin();
[[nodiscard]] const ProgramRow* program_rows_end();
[[nodiscard]] const SubcommandRow* subcommand_rows_begin();
[[nodiscard]] const SubcommandRow* subcommand_rows_end();

}  // namespace countersign
