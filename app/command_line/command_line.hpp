// SPDX-License-Identifier: Apache-2.0
// CommandLine: all commands of the program, their help, and the one that was given.
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

    // The program itself, to which commands are added.
    [[nodiscard]] Command program();

    // A word that stands where a command or an option should.
    struct Unknown {
        std::string word;
        std::string above;               // the command it would belong to, "run claude"; empty for the program
        std::vector<std::string> names;  // of commands or options that could stand there
        bool option = false;             // it begins with a dash; without its value
    };
    // Runs the command that was given, and returns the exit code. Without one it prints help, or what is wrong with the
    // line; for an unknown command or option it calls `explain`.
    [[nodiscard]] int run(int argc, const char* const* argv, const std::function<void(const Unknown&)>& explain);

    // Whether this command, or one below it, was run. Printing its help is not.
    [[nodiscard]] bool ran(const std::string& command) const;

    // What --help of the command prints that the words lead to; nothing where one of them is none.
    [[nodiscard]] std::optional<std::string> help_page(const std::vector<std::string>& words) const;

private:
    std::unique_ptr<CLI::App> app_;
    int exit_code_ = 0;
    bool ran_ = false;
};

}  // namespace countersign::app
