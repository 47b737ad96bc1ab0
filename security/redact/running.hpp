// SPDX-License-Identifier: Apache-2.0
// Running values: values with a secret-sounding name that the text runs all the same: TOKEN='rm -rf /'; $TOKEN.
//
// A name alone must not hide a command. So a value that reads like a command line stays visible everywhere, and so does
// every value of a variable that the text runs. A token recognised by its look is masked in either case.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>

namespace countersign::security {

// True if the word, with or without quotes, names a known program.
[[nodiscard]] bool names_program(std::string_view word);

// True if the value is a program with arguments, or has an operator followed by a program. A known program must have an
// option, a path, a name with a dot, or a variable after it, because it may also be a word of a passphrase; any other
// program must have an option. In an unquoted value only a known program at its start is recognised: the rest may
// belong to the command around it.
[[nodiscard]] bool reads_as_command(std::string_view value, bool quoted);

// The rest of the line from `at` on, up to that quote; of a long line only the first bytes.
[[nodiscard]] std::string_view rest_of_value(std::string_view text, std::size_t at, char quote);

// True if the text may turn data into code: it names a decoder, and a program that runs code or a way to make it
// executable.
[[nodiscard]] bool decodes_and_runs(std::string_view text);

// True if the text at `at` goes through a pipe into an interpreter and is changed on the way: echo token=rm | cut … |
// sh. An argument of a client, such as a header, doesn't go through the pipe.
[[nodiscard]] bool flows_into_interpreter(std::string_view text, std::size_t at);

// True if the text may run the value of a variable or argument in a way that no reference to its name shows: eval, a
// pipe into an interpreter, ${!x}, system(), printenv.
[[nodiscard]] bool runs_values(std::string_view text);
// True for a value that is more likely a command than a secret in such a text: a short word of letters, or several
// words.
[[nodiscard]] bool plain_command(std::string_view value);

// The name in $NAME, ${NAME}, ${!NAME}, $(NAME), $$NAME, $env:NAME and %NAME% at `at`; empty if there is none.
[[nodiscard]] std::string_view referred_name(std::string_view text, std::size_t at);
// True if `name` is where the text sets the variable: $password = 'x', as in PHP and PowerShell.
[[nodiscard]] bool is_set_there(std::string_view text, std::string_view name);

// How a text uses a variable.
enum class Use {
    none,   // not at all, or only as an argument
    maybe,  // it passes the value to a program and may run it somewhere
    runs,   // where a shell expects a command
};

class RunningNames {
public:
    // Borrows the text.
    explicit RunningNames(std::string_view text);

    [[nodiscard]] Use use_of(std::string_view name) const;

private:
    void note(std::string_view name, Use use);
    void read_reference(std::size_t at, bool covered);
    void propagate();

    std::string_view text_;
    bool runs_unknown_ = false;  // it runs the command in some variable, or passes text to an interpreter
    std::map<std::string_view, Use> uses_;
    std::multimap<std::string_view, std::string_view> copies_;  // X=$TOKEN: X and TOKEN
};

// True if the value of a `maybe` variable may be a command: it has a blank, an operator or a path, or is a program.
[[nodiscard]] bool may_be_command(std::string_view value);

}  // namespace countersign::security
