// SPDX-License-Identifier: Apache-2.0
#include "config/fields.hpp"
#include "config/group_command.hpp"
#include "config/route_rules.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace countersign::config {

namespace {

constexpr std::size_t unknown_names_shown_max = 10;

std::string_view trimmed(std::string_view line) {
    line = line.substr(0, line.find('#'));
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

// Repeats only valid names to the operator: any other text may be meant to manipulate a terminal.
std::string shown(std::string_view name) {
    return is_name(name) ? std::string{name} : "a line of " + std::to_string(name.size()) + " bytes";
}

void warn_of_shortages(const Configuration& configuration, std::vector<std::string>& warnings) {
    for (const auto& route : configuration.routes) {
        if (route.ends_deny || !has_command_group(configuration, route)) continue;
        if (const auto shortage = shortage_of(configuration, route)) {
            warnings.push_back("route " + route.name + ": " + shortage->what + "; " + shortage->instead);
        }
    }
}

}  // namespace

std::vector<std::string> members_printed(std::string_view group, std::string_view printed,
                                         const Configuration& configuration, std::vector<std::string>& warnings) {
    std::vector<std::string> members;
    std::set<std::string> seen;
    std::size_t unknown = 0;
    while (!printed.empty()) {
        const auto line = printed.substr(0, printed.find('\n'));
        printed.remove_prefix(std::min(line.size() + 1, printed.size()));
        const std::string name{trimmed(line)};
        if (name.empty() || !seen.insert(name).second) continue;
        if (configuration.people.contains(name)) {
            members.push_back(name);
        } else if (++unknown <= unknown_names_shown_max) {
            warnings.push_back("group " + std::string{group} + ": the command named " + shown(name) +
                               ", and there is no such person");
        }
    }
    if (unknown > unknown_names_shown_max) {
        warnings.push_back("group " + std::string{group} + ": and " +
                           std::to_string(unknown - unknown_names_shown_max) + " more names that nobody has");
    }
    if (members.empty()) warnings.push_back("group " + std::string{group} + ": nobody is in it now");
    return members;
}

ResolvedGroups resolve_groups(Configuration configuration, std::chrono::milliseconds deadline) {
    std::vector<std::string> warnings;
    bool command_failed = false;
    for (const auto& [group, argv] : configuration.group_commands) {
        const auto printed = run_group_command(argv, deadline);
        auto& members = configuration.groups[group];
        members.clear();
        if (printed) {
            members = members_printed(group, *printed, configuration, warnings);
        } else {
            command_failed = true;
            warnings.push_back("group " + group +
                               ": the command failed, so nobody is in it now: " + describe(printed.error()));
        }
    }
    warn_of_shortages(configuration, warnings);
    return {
        .configuration = std::move(configuration), .warnings = std::move(warnings), .command_failed = command_failed};
}

}  // namespace countersign::config
