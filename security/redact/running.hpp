// SPDX-License-Identifier: Apache-2.0
// Running values: text that a name calls secret, and that runs all the same: TOKEN='rm -rf /'; $TOKEN.
//
// A name alone must not hide a command. So a value that reads as a command line stays visible everywhere, and so does
// any value of a variable that the text runs. A token by its look is masked in either case.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>

namespace countersign::security {

// Whether the word, quotes or not, names a program that we know.
[[nodiscard]] bool names_program(std::string_view word);

// Whether the value is a program with arguments, or has an operator and a program behind it. A known program has to
// have an option, a path, a name with a dot or a variable after it, since it may as well be a word of a passphrase; any
// other has to have an option. Of a value that isn't in quotes, only a known program at its start counts: the rest may
// belong to the command around it.
[[nodiscard]] bool reads_as_command(std::string_view value, bool quoted);

// The rest of the line from `at` on, and no further than that quote; of a long line the first bytes.
[[nodiscard]] std::string_view rest_of_value(std::string_view text, std::size_t at, char quote);

// Whether the text may turn data into code: it names a decoder, and something that runs or is made to run.
[[nodiscard]] bool decodes_and_runs(std::string_view text);

// Whether what is at `at` goes through a pipe into an interpreter, and is changed on the way: echo token=rm | cut … |
// sh. What a client is given, such as a header, doesn't go on.
[[nodiscard]] bool flows_into_interpreter(std::string_view text, std::size_t at);

// The name in $NAME, ${NAME}, ${!NAME}, $(NAME), $$NAME, $env:NAME and %NAME% at `at`; empty if none.
[[nodiscard]] std::string_view referred_name(std::string_view text, std::size_t at);
// Whether the text sets the variable at its name: $password = 'x', as in PHP and PowerShell.
[[nodiscard]] bool is_set_there(std::string_view text, std::string_view name);

// How a text uses a variable.
enum class Use {
    none,   // it doesn't, or as an argument
    maybe,  // it gives the value to a program, and may run it somewhere
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
    bool runs_unknown_ = false;  // a command that is in some variable, or text that is given to an interpreter
    std::map<std::string_view, Use> uses_;
    std::multimap<std::string_view, std::string_view> copies_;  // X=$TOKEN: X and TOKEN
};

// Whether a value of a variable in `maybe` can be a command: one with a blank, an operator or a path, or a program.
[[nodiscard]] bool may_be_command(std::string_view value);

}  // namespace countersign::security
