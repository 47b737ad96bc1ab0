// SPDX-License-Identifier: Apache-2.0
// Command and Parameter: what a command says of itself on the command line.
//
// CLI11 reads the line behind them. It is all headers, and whoever includes them compiles a command line of their own,
// which took a third of a clean build; so this folder alone includes them.
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

// An option, a flag or an argument. A copy is the same one; it lives as long as the CommandLine.
class Parameter {
public:
    explicit Parameter(CLI::Option& option) : option_{&option} {}

    Parameter& required();
    Parameter& needs(const Parameter& other);
    Parameter& excludes(const Parameter& other);

    // What is wrong with a value, or nothing.
    using Check = std::function<std::string(const std::string& value)>;
    Parameter& check(Check check);
    Parameter& one_of(const std::vector<std::string>& values);
    // What a shell makes of a variable that is not set is not the same as no option.
    Parameter& not_empty();

    // Of a list: each takes one value, and may be given again. What follows the value is not part of it.
    Parameter& one_at_a_time();
    // The same, and one value may be several: a,b.
    Parameter& separated_by(char separator);

    // In help, what stands for the value.
    Parameter& type_name(const std::string& name);
    // In help, what stands behind the name, instead of all that is said there otherwise.
    Parameter& value_text(const std::string& text);
    // In help, the value that the variable has now.
    Parameter& shows_default();

    [[nodiscard]] bool given() const;

private:
    CLI::Option* option_;
};

// A command, or one below it. A copy is the same one; it lives as long as the CommandLine.
class Command {
public:
    Command(CLI::App& app, int& exit_code) : app_{&app}, exit_code_{&exit_code} {}

    Command subcommand(const std::string& name, const std::string& help);
    void needs_subcommand();
    // Not in help, and never what somebody may have meant.
    void hide();

    // The variables must outlive the reading of the line: what runs the command owns them. A name without dashes is
    // an argument.
    Parameter option(const std::string& name, std::string& value, const std::string& help);
    Parameter option(const std::string& name, std::optional<std::string>& value, const std::string& help);
    Parameter option(const std::string& name, std::vector<std::string>& values, const std::string& help);
    Parameter option(const std::string& name, std::uint64_t& value, const std::string& help);
    Parameter option(const std::string& name, std::optional<std::uint64_t>& value, const std::string& help);
    Parameter flag(const std::string& name, bool& value, const std::string& help);

    // Stands under the help. It is written in whole paragraphs: each line of it is broken at blanks.
    void footer(const std::string& text);

    // Called if this command is on the line and the line is right; returns the exit code.
    void runs(std::function<int()> run);

private:
    CLI::App* app_;
    int* exit_code_;
};

}  // namespace countersign::app
