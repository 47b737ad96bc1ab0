// SPDX-License-Identifier: Apache-2.0
// Command and Parameter: how a command declares its options, arguments and help.
//
// They wrap CLI11, which is header-only. Each source that includes it compiles all of it, and that took a third of a
// clean build; so only this folder includes it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace countersign::app {

// The values that a parameter may have, where they can be listed. CLI11 keeps them only inside a validator.
using Choices = std::map<const CLI::Option*, std::vector<std::string>>;

// An option, a flag or an argument. A copy is the same one; it lives as long as the CommandLine.
class Parameter {
public:
    Parameter(CLI::Option& option, Choices& choices) : option_{&option}, choices_{&choices} {}

    Parameter& required();
    Parameter& needs(const Parameter& other);
    Parameter& excludes(const Parameter& other);

    // Returns what is wrong with a value, or an empty string.
    using Check = std::function<std::string(const std::string& value)>;
    Parameter& check(Check check);
    Parameter& one_of(const std::vector<std::string>& values);
    // The same values for shell completion and the manual, but the command checks them itself.
    Parameter& suggests(const std::vector<std::string>& values);
    // Rejects "", which is what a shell passes for a variable that isn't set.
    Parameter& not_empty();

    // For a list: the option takes one value at a time, and may be repeated.
    Parameter& one_at_a_time();
    // The same, and one value may contain several: a,b.
    Parameter& separated_by(char separator);

    // In help, what stands for the value. Shell completion offers files for FILE and directories for DIR.
    Parameter& type_name(const std::string& name);
    // In help, the text after the name, instead of placeholder, default and "REQUIRED".
    Parameter& value_text(const std::string& text);
    // In help, shows the variable's current value as the default.
    Parameter& shows_default();

    [[nodiscard]] bool given() const;

private:
    CLI::Option* option_;
    Choices* choices_;
};

// A command or subcommand. Copies refer to the same one, which lives as long as the CommandLine.
class Command {
public:
    // Borrows: the CommandLine owns all three.
    Command(CLI::App& app, int& exit_code, Choices& choices) : app_{&app}, exit_code_{&exit_code}, choices_{&choices} {}

    Command subcommand(const std::string& name, const std::string& help);
    void needs_subcommand();
    // Leaves it out of help, completion and the manual, and never suggests it for a misspelt command.
    void hide();

    // The variables must outlive the parsing of the command line: the function that runs the command owns them. A name
    // without dashes is an argument.
    Parameter option(const std::string& name, std::string& value, const std::string& help);
    Parameter option(const std::string& name, std::optional<std::string>& value, const std::string& help);
    Parameter option(const std::string& name, std::vector<std::string>& values, const std::string& help);
    Parameter option(const std::string& name, std::uint64_t& value, const std::string& help);
    Parameter option(const std::string& name, std::optional<std::uint64_t>& value, const std::string& help);
    Parameter flag(const std::string& name, bool& value, const std::string& help);

    // Printed below the help. Write whole paragraphs: each line is wrapped to the terminal.
    void footer(const std::string& text);

    // Called if the command line is valid and names this command; returns the exit code.
    void runs(std::function<int()> run);

private:
    CLI::App* app_;
    int* exit_code_;
    Choices* choices_;
};

}  // namespace countersign::app
