// SPDX-License-Identifier: Apache-2.0
// The commands and their options as plain values, for the manual and the shells' completions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace countersign::app {

// An option, a flag or an argument.
struct TableOption {
    std::vector<std::string> names = {};  // "-n", "--newest"; for an argument its only name
    std::string value = {};               // the placeholder for the value; empty for a flag
    std::string help = {};
    std::vector<std::string> choices = {};
    std::string default_value = {};
    bool required = false;
    bool repeated = false;
};

struct TableCommand {
    std::string name;  // without those above it
    std::string help;
    std::string footer;
    std::vector<TableOption> options = {};
    std::vector<TableOption> arguments = {};
    std::vector<TableCommand> subcommands = {};
};

// What a shell offers for a value.
enum class Offer { nothing, choices, files, directories };
[[nodiscard]] Offer offer_for(const TableOption& option);

// A command with its path, "countersign audit list". The program comes first, each command before those below it.
struct TableEntry {
    std::string path;
    const TableCommand* command;
};
// Borrows the table.
[[nodiscard]] std::vector<TableEntry> each_command(const TableCommand& program);

// The first sentence of a help text, without its full stop.
[[nodiscard]] std::string_view summary(std::string_view help);

}  // namespace countersign::app
