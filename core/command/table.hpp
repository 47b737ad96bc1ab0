// SPDX-License-Identifier: Apache-2.0
// The table of programs: what each does by nature, and which of its options run a program, write or delete a file.
//
// Both risk and policy use it. A program that isn't in the table has the risk "unknown", which is high.
#pragma once

#include <string>
#include <string_view>

namespace countersign {

// What a command does beyond reading and printing. `repository`: it runs programs that the repository's configuration
// names (core.fsmonitor, filters, hooks).
enum class Danger { none, repository, writes, deletes, runs };  // in ascending order

// How words that aren't options are read.
enum class Operands {
    plain,
    sed_script,
    awk_program,
    jq_filter,
    second_writes,
    sets_clock,
    bsd_options,
    evaluated,
    run,            // any of them may be a command
    old_options,    // the first one is a cluster of options without its dash: tar xIf
    sql_shell,      // of sqlite3: dot commands, and SQL that runs, reads or writes files
    formats,        // of curl: a format may name a file to write
    ip_object,      // of ip, which accepts abbreviations
    remote_shell,   // a shell of another machine reads them
    python_module,  // -m json.tool writes its second file
    tmux_commands,  // a semicolon starts another command, and #( ) in a format runs one
};

// Lists are words separated by blanks. An option is written `-x`, `--long` or `-long` (one dash; matches every word
// that starts with it). `name=` matches operands that start with it; `+` matches those that start with a plus.
struct ProgramRow {
    std::string_view names;
    Danger nature = Danger::none;
    std::string_view runs = {};
    std::string_view writes = {};
    std::string_view deletes = {};
    std::string_view valued = {};  // letters of short options whose value is the rest of the word
    Operands operands = Operands::plain;
    std::string_view spelled = {};  // see SubcommandRow
    // Options that make it read files that no word names: through links below a directory, or from a list. Such a
    // command may read outside the working directory, so a pattern allows it only if it contains that exact word.
    std::string_view strays = {};
    std::string_view selects = {};  // options whose value is a file pattern
};

// A subcommand that does more than its program by nature, and the options that only it has.
//
// `spelled`: options and operands that do more than the subcommand suggests (git stash drop, git push :main). A pattern
// allows them only if it has the same word without a wildcard. `word` matches that operand, `:` and `+` match operands
// that start with them, `=` matches operands that contain one, and `*` matches every word, unless the first one is in
// `reads`.
struct SubcommandRow {
    std::string_view program;  // or several
    std::string_view names;
    Danger nature = Danger::none;
    std::string_view runs = {};
    std::string_view writes = {};
    std::string_view spelled = {};
    std::string_view reads = {};
};

// Two spellings of one option. An operator who names one also means the other.
struct AliasRow {
    std::string_view program;
    std::string_view subcommand;  // empty for a program without subcommands
    std::string_view one;
    std::string_view other;
};

[[nodiscard]] bool lists_word(std::string_view list, std::string_view word);

// The table's name for a program: python3.12 is python, and on some file systems RM runs rm. Other programs keep their
// name.
[[nodiscard]] std::string known_name(std::string_view program);

// Null if the program isn't in the table.
[[nodiscard]] const ProgramRow* program_row(std::string_view program);
[[nodiscard]] const SubcommandRow* subcommand_row(std::string_view program, std::string_view subcommand);
[[nodiscard]] bool has_subcommands(std::string_view program);
// True if `given`, which may be an abbreviated long option, is another spelling of `wanted`.
[[nodiscard]] bool is_alias(std::string_view program, std::string_view subcommand, std::string_view wanted,
                            std::string_view given);

// True if the program runs other words of its command line, or text from elsewhere, as a command.
[[nodiscard]] bool is_wrapper(std::string_view program);
// True for a shell builtin that changes the meaning of later commands in a list (cd, export, read …).
[[nodiscard]] bool changes_the_shell(std::string_view program);

// All rows, for tests that try each option in each spelling.
[[nodiscard]] const ProgramRow* program_rows_begin();
[[nodiscard]] const ProgramRow* program_rows_end();
[[nodiscard]] const SubcommandRow* subcommand_rows_begin();
[[nodiscard]] const SubcommandRow* subcommand_rows_end();

}  // namespace countersign
