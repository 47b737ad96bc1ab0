// SPDX-License-Identifier: Apache-2.0
#include "app/command_line/command_table.hpp"

namespace countersign::app {
namespace {

void add_below(const TableCommand& command, const std::string& path, std::vector<TableEntry>& entries) {
    entries.push_back({.path = path, .command = &command});
    for (const auto& below : command.subcommands) add_below(below, path + " " + below.name, entries);
}

}  // namespace

Offer offer_for(const TableOption& option) {
    if (!option.choices.empty()) return Offer::choices;
    // An argument is named after its value.
    const auto& placeholder = option.names.front().starts_with('-') ? option.value : option.names.front();
    if (placeholder == "DIR") return Offer::directories;
    // TEXT is what CLI11 calls a value that the command didn't name; many of those are files.
    if (placeholder == "FILE" || placeholder == "TEXT" || placeholder.ends_with(".json")) return Offer::files;
    return Offer::nothing;
}

std::vector<TableEntry> each_command(const TableCommand& program) {
    std::vector<TableEntry> entries;
    add_below(program, program.name, entries);
    return entries;
}

std::string_view summary(std::string_view help) {
    help = help.substr(0, help.find('\n'));
    help = help.substr(0, help.find(". "));
    if (help.ends_with('.')) help.remove_suffix(1);
    return help;
}

}  // namespace countersign::app
