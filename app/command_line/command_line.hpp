// SPDX-License-Identifier: Apache-2.0
// CommandLine: all commands of the program, their help, and the dispatch to the one given.
#pragma once

#include "app/command_line/command.hpp"

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

    // An unknown word in the position of a command or an option.
    struct Unknown {
        std::string word;
        std::string above;               // the command it follows, e.g. "run claude"; empty for the program
        std::vector<std::string> names;  // commands or options that are possible there
        bool option = false;             // the word begins with a dash; given without its value
    };
    // Runs the given command and returns the exit code. Without a command it prints help, or what is wrong with the
    // line; for an unknown command or option it calls `explain`.
    [[nodiscard]] int run(int argc, const char* const* argv, const std::function<void(const Unknown&)>& explain);

    // Whether this command or a subcommand of it ran. Printing its help does not count.
    [[nodiscard]] bool ran(const std::string& command) const;

    // What --help of the command at these words prints. Empty if one of them is not a command.
    [[nodiscard]] std::optional<std::string> help_page(const std::vector<std::string>& words) const;

private:
    std::unique_ptr<CLI::App> app_;
    int exit_code_ = 0;
    bool ran_ = false;
};

}  // namespace countersign::app
