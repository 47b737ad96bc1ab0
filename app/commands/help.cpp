// SPDX-License-Identifier: Apache-2.0
// What the program says of itself: `help`, `version`, the manual (`help --man`), and `completion` for the shells.
#include "app/command_line/command_line.hpp"
#include "app/command_line/completion.hpp"
#include "app/command_line/man_page.hpp"
#include "app/commands/commands.hpp"
#include "app/output.hpp"
#include "app/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

namespace countersign::app {
namespace {

struct HelpOptions {
    std::vector<std::string> command;
    bool man = false;
    std::string man_directory;
};

int unknown_command(const std::vector<std::string>& words) {
    return usage_error(fmt::format("there is no command {}; `countersign help` lists them", fmt::join(words, " ")));
}

int print_help(const CommandLine& line, const std::vector<std::string>& words) {
    const auto page = line.help_page(words);
    if (!page) return unknown_command(words);
    show("{}", *page);
    return exit_holds;
}

int print_man_page(const CommandLine& line, const std::vector<std::string>& words, const std::string& version) {
    const auto program = line.table();
    auto path = program.name;
    for (const auto& word : words) path += " " + word;
    const auto entries = each_command(program);
    const auto entry = std::ranges::find(entries, path, &TableEntry::path);
    if (entry == entries.end()) return unknown_command(words);
    show("{}", man_page(*entry, version));
    return exit_holds;
}

int write_man_pages(const CommandLine& line, const std::filesystem::path& directory, const std::string& version) {
    std::error_code failed;
    std::filesystem::create_directories(directory, failed);
    const auto program = line.table();
    for (const auto& entry : each_command(program)) {
        const auto path = directory / man_page_name(entry.path);
        std::ofstream file{path, std::ios::binary};
        file << man_page(entry, version);
        file.close();
        if (!file) return report({Errc::unavailable, path.string() + " cannot be written"});
    }
    return exit_holds;
}

int help(const CommandLine& line, const HelpOptions& options, const std::string& version) {
    if (!options.man_directory.empty()) return write_man_pages(line, options.man_directory, version);
    return options.man ? print_man_page(line, options.command, version) : print_help(line, options.command);
}

}  // namespace

void add_help(CommandLine& line, const std::string& version) {
    auto command = line.program().subcommand("help", "Print this help or that of another command");
    auto options = std::make_shared<HelpOptions>();
    std::vector<std::string> names;
    for (const auto& below : line.table().subcommands) names.push_back(below.name);
    command.option("COMMAND", options->command, "For example: audit list").suggests(names);
    command.flag("--man", options->man, "Print the manual page instead");
    command.option("--man-dir", options->man_directory, "Write the manual pages of all commands to DIR")
        .type_name("DIR");
    command.footer("Example: countersign help --man audit list | man -l -");
    command.runs([&line, options, version] { return help(line, *options, version); });
}

void add_completion(CommandLine& line) {
    auto command = line.program().subcommand("completion", "Print a completion script for your shell");
    auto shell = std::make_shared<std::string>();
    command.option("SHELL", *shell, "The shell").required().one_of(completion_shells());
    command.footer("bash, now and in each new shell:\n\n"
                   "  source <(countersign completion bash)\n"
                   "  mkdir -p ~/.local/share/bash-completion/completions\n"
                   "  countersign completion bash \\\n"
                   "    > ~/.local/share/bash-completion/completions/countersign\n\n"
                   "zsh, with a directory of your $fpath:\n\n"
                   "  countersign completion zsh > ~/.zsh/completions/_countersign\n\n"
                   "fish:\n\n"
                   "  countersign completion fish > ~/.config/fish/completions/countersign.fish");
    command.runs([&line, shell] {
        show("{}", *completion_for(*shell, line.table()));  // one_of has checked it
        return exit_holds;
    });
}

void add_version(Command& program, const std::string& version) {
    auto command = program.subcommand("version", "Print the version, as --version does");
    command.runs([version] {
        show("{}\n", version);
        return exit_holds;
    });
}

}  // namespace countersign::app
