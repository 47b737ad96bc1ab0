// SPDX-License-Identifier: Apache-2.0
// Command and Parameter: how a command describes itself on the command line.
//
// CLI11 parses the line. It is header-only, and every file that includes it compiles a whole parser, which took a third
// of a clean build; so only this folder includes it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace countersign::app {

// An option, a flag or an argument. Copies refer to the same one, which lives as long as the CommandLine.
class Parameter {
public:
    explicit Parameter(CLI::Option& option) : option_{&option} {}

    Parameter& required();
    Parameter& needs(const Parameter& other);
    Parameter& excludes(const Parameter& other);

    // Returns what is wrong with a value, or an empty string.
    using Check = std::function<std::string(const std::string& value)>;
    Parameter& check(Check check);
    Parameter& one_of(const std::vector<std::string>& values);
    // An empty value is usually an unset shell variable, which is not the same as leaving the option out.
    Parameter& not_empty();

    // For lists: the option takes one value but may be repeated. Words after the value are not part of it.
    Parameter& one_at_a_time();
    // The same, but one value may contain several: a,b.
    Parameter& separated_by(char separator);

    // The placeholder for the value in help.
    Parameter& type_name(const std::string& name);
    // In help, replaces everything that is otherwise printed after the name.
    Parameter& value_text(const std::string& text);
    // In help, shows the variable's current value as the default.
    Parameter& shows_default();

    [[nodiscard]] bool given() const;

private:
    CLI::Option* option_;
};

// A command or subcommand. Copies refer to the same one, which lives as long as the CommandLine.
class Command {
public:
    Command(CLI::App& app, int& exit_code) : app_{&app}, exit_code_{&exit_code} {}

    Command subcommand(const std::string& name, const std::string& help);
    void needs_subcommand();
    // Leaves the command out of help and of suggestions.
    void hide();

    // The variables must outlive the parsing of the line: the command's callback owns them. A name without dashes is a
    // positional argument.
    Parameter option(const std::string& name, std::string& value, const std::string& help);
    Parameter option(const std::string& name, std::optional<std::string>& value, const std::string& help);
    Parameter option(const std::string& name, std::vector<std::string>& values, const std::string& help);
    Parameter option(const std::string& name, std::uint64_t& value, const std::string& help);
    Parameter option(const std::string& name, std::optional<std::uint64_t>& value, const std::string& help);
    Parameter flag(const std::string& name, bool& value, const std::string& help);

    // Text printed below the help, written as whole paragraphs; each line is wrapped at spaces.
    void footer(const std::string& text);

    // Called if this command was given and the line is valid; returns the exit code.
    void runs(std::function<int()> run);

private:
    CLI::App* app_;
    int* exit_code_;
};

}  // namespace countersign::app
