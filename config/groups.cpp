// SPDX-License-Identifier: Apache-2.0
#include "config/sections.hpp"

#include "core/limits.hpp"

#include <ranges>
#include <utility>

namespace countersign::config {

namespace {

constexpr std::string_view exec_example = "\"/usr/local/bin/oncall\"";

std::vector<std::string> read_command(const Node& node, const std::string& path, Problems& problems) {
    Fields fields{node, path, problems};
    const auto words = fields.words("exec", exec_example);
    std::vector<std::string> argv;
    argv.reserve(words.size());
    for (const auto& word : words) argv.push_back(word.text);
    if (fields.node("exec") == nullptr || (fields.node("exec")->list() != nullptr && argv.empty())) {
        fields.reject("exec", "there is no command", "write exec = [\"/usr/local/bin/oncall\"]");
    } else if (argv.size() > limits::group_command_argv_max) {
        fields.reject("exec", "more than " + std::to_string(limits::group_command_argv_max) + " words");
    } else if (!argv.empty() && !argv.front().starts_with('/')) {
        // Which program a bare name starts depends on our environment.
        problems.add(words.front().at, words.front().key, "the command is not an absolute path",
                     "write exec = [\"/usr/local/bin/oncall\"]");
    }
    fields.finish();
    return argv;
}

std::vector<std::string> read_members(Fields& groups, const TomlEntry& entry, const Configuration& configuration) {
    const auto words = groups.words(entry.key, example_person(configuration));
    if (entry.value.list()->empty()) {
        groups.reject(entry.key, "nobody is in this group",
                      "write " + entry.key + " = [" + example_person(configuration) + "]");
    }
    std::vector<std::string> members;
    for (const auto& word : words) {
        if (is_person(word, configuration, groups.problems())) members.push_back(word.text);
    }
    refuse_repeats(words, groups.problems());
    return members;
}

void read_group(Fields& groups, const TomlEntry& entry, Configuration& configuration) {
    if (!is_name(entry.key)) {
        groups.problems().add(entry.at, groups.key_of(entry.key), "this is no name of a group",
                              "write 1 to 64 of a-z, 0-9, _ and -");
    }
    // Add the group even if it is invalid, so that routes that name it are not reported as well.
    auto& members = configuration.groups[entry.key];
    if (entry.value.table() != nullptr) {
        configuration.group_commands[entry.key] =
            read_command(entry.value, groups.key_of(entry.key), groups.problems());
    } else if (entry.value.list() != nullptr) {
        members = read_members(groups, entry, configuration);
    } else {
        groups.reject(entry.key, "this is " + std::string{kind_name(entry.value)} + ", not a list",
                      "write " + entry.key + " = [" + example_person(configuration) + "] or { exec = [" +
                          std::string{exec_example} + "] }");
    }
}

}  // namespace

void read_groups(Fields& root, Configuration& configuration) {
    const auto* node = root.node("groups");
    if (node == nullptr) return;
    Fields groups{*node, "groups", root.problems()};
    if (groups.entries().size() > limits::groups_max) {
        root.reject("groups", "more than " + std::to_string(limits::groups_max) + " groups");
    }
    for (const auto& entry : std::views::take(groups.entries(), limits::groups_max)) {
        if (root.problems().full()) return;
        read_group(groups, entry, configuration);
    }
    if (configuration.group_commands.size() > limits::group_commands_max) {
        root.reject("groups", "more than " + std::to_string(limits::group_commands_max) + " groups have a command");
    }
}

}  // namespace countersign::config
