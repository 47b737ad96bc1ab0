// SPDX-License-Identifier: Apache-2.0
// CommandLine: all commands of the program, their help, and the command that the user gave.
#pragma once

#include "app/command_line/command.hpp"
#include "app/command_line/command_table.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign::app {

class CommandLine {
public:
    struct Program {
        std::string name;
        std::string help;
        std::string version;
        std::string footer;
    };
    explicit CommandLine(const Program& program);
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;
    ~CommandLine();

    // The program itself; add commands to it.
    [[nodiscard]] Command program();

    // A word where a command or an option should be.
    struct Unknown {
        std::string word;
        std::string above;               // the command it follows, e.g. "run claude"; empty for the program
        std::vector<std::string> names;  // commands or options that are possible there
        bool option = false;             // the word begins with a dash; given without its value
    };
    // Runs the given command and returns its exit code. Without one it prints the help or the error; for an unknown
    // command or option it calls `explain`.
    [[nodiscard]] int run(int argc, const char* const* argv, const std::function<void(const Unknown&)>& explain);

    // Whether this command or a subcommand of it ran. Printing its help does not count.
    [[nodiscard]] bool ran(const std::string& command) const;

    // What --help prints for the command with this path; nothing if there is no such command.
    [[nodiscard]] std::optional<std::string> help_page(const std::vector<std::string>& words) const;

    // All commands as values, without the hidden ones. Only complete once every command was added.
    [[nodiscard]] TableCommand table() const;

private:
    std::unique_ptr<CLI::App> app_;
    int exit_code_ = 0;
    Choices choices_;
    bool ran_ = false;
};

}  // namespace countersign::app
