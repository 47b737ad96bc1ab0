// SPDX-License-Identifier: Apache-2.0
// `help`, e.g. `help audit list`: prints what --help of that command prints. `version`: prints what --version prints.
#include "app/command_line/command_line.hpp"
#include "app/commands/commands.hpp"
#include "app/output.hpp"
#include "app/report.hpp"

#include <fmt/format.h>

#include <memory>

namespace countersign::app {
namespace {

int print_help(const CommandLine& line, const std::vector<std::string>& words) {
    const auto page = line.help_page(words);
    if (!page) {
        return usage_error(fmt::format("there is no command {}; `countersign help` lists them", fmt::join(words, " ")));
    }
    show("{}", *page);
    return exit_holds;
}

}  // namespace

void add_help(CommandLine& line) {
    auto help = line.program().subcommand("help", "Print this, or what --help of another command prints");
    auto words = std::make_shared<std::vector<std::string>>();
    help.option("COMMAND", *words, "Such as: audit list");
    help.runs([&line, words] { return print_help(line, *words); });
}

void add_version(Command& program, const std::string& version) {
    auto command = program.subcommand("version", "Print the version, as --version does");
    command.runs([version] {
        show("{}\n", version);
        return exit_holds;
    });
}

}  // namespace countersign::app
