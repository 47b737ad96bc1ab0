// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/command.hpp"

#include "runtimes/inherited_environment.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace countersign::runtimes::claude {

namespace {

struct Known {
    std::string_view flag;
    std::string_view why;
};

constexpr std::string_view nobody_asked = "runs every call without asking";
constexpr std::string_view our_part = "is set by Countersign: the answers go over it";
constexpr std::string_view elsewhere = "moves the session to where Countersign cannot answer";

constexpr auto refused = std::to_array<Known>({
    {"--dangerously-skip-permissions", nobody_asked},
    {"--allow-dangerously-skip-permissions", "lets the session be switched to run every call without asking"},
    {"--enable-auto-mode", "lets a model decide instead of a person"},
    {"--permission-prompt-tool", our_part},
    {"--input-format", our_part},
    {"--output-format", our_part},
    {"--sdk-url", elsewhere},
    {"--bg", elsewhere},
    {"--background", elsewhere},
    {"--tmux", elsewhere},
    {"--remote", elsewhere},
    {"--remote-control", elsewhere},
    {"--rc", elsewhere},
    {"--cloud", elsewhere},
    {"--teleport", elsewhere},
});

constexpr std::string_view may_hold_rules = "may hold allow rules and hooks, which answer before anybody is asked";

constexpr auto reported = std::to_array<Known>({
    {"--allowedTools", "lets the tools it names run without asking"},
    {"--allowed-tools", "lets the tools it names run without asking"},
    {"--add-dir", "lets the agent read in more directories without asking"},
    {"--settings", may_hold_rules},
    {"--managed-settings", may_hold_rules},
    {"--plugin-dir", may_hold_rules},
    {"--plugin-dir-no-mcp", may_hold_rules},
    {"--plugin-url", may_hold_rules},
});

constexpr std::string_view mode_flag = "--permission-mode";

// The CLI reads only the last --settings, so the operator cannot pass another one.
constexpr std::string_view settings_flag = "--settings";
constexpr std::string_view ask_everything = R"({"permissions":{"ask":["*"]}})";
constexpr std::string_view settings_are_ours =
    "is set by --ask-everything, and the CLI reads one only: write yours to .claude/settings.local.json";

std::string_view flag_in(std::string_view argument) { return argument.substr(0, argument.find('=')); }

template <class List> const Known* find(const List& list, std::string_view argument) {
    const auto found = std::ranges::find(list, flag_in(argument), &Known::flag);
    return found == list.end() ? nullptr : &*found;
}

Error refusal(std::string_view argument, std::string_view why) {
    return {Errc::unsupported, std::string{argument} + ": " + std::string{why} + "; leave it out"};
}

// The modes that still ask. Modes added by later versions of the CLI are refused until we have reviewed them.
Result<void> check_mode(std::string_view mode, StartCommand& start) {
    if (mode == "default" || mode == "plan") return {};
    if (mode == "acceptEdits") {
        start.warnings.emplace_back("--permission-mode acceptEdits: edits, and commands such as touch and mkdir in the "
                                    "working directory, run without asking");
        return {};
    }
    return Error{Errc::unsupported, "--permission-mode " + std::string{mode} +
                                        ": does not ask a person; use default, plan or acceptEdits"};
}

constexpr auto own_variables = std::to_array<std::string_view>({"ANTHROPIC_", "CLAUDE_", "DISABLE_"});

}  // namespace

Result<StartCommand> start_command(const std::string& binary, const std::vector<std::string>& arguments, Asks asks) {
    StartCommand start;
    start.argv = {binary,        "-p",        "--input-format",           "stream-json", "--output-format",
                  "stream-json", "--verbose", "--permission-prompt-tool", "stdio"};
    bool mode_given = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        if (const auto* known = find(refused, argument)) return refusal(known->flag, known->why);
        if (asks == Asks::everything && flag_in(argument) == settings_flag) {
            return refusal(settings_flag, settings_are_ours);
        }
        if (const auto* known = find(reported, argument)) {
            start.warnings.push_back(std::string{known->flag} + ": " + std::string{known->why});
        }
        if (flag_in(argument) != mode_flag) continue;
        const bool joined = argument.size() > mode_flag.size();
        if (!joined && i + 1 == arguments.size()) return refusal(mode_flag, "needs a mode");
        const auto mode = joined ? argument.substr(mode_flag.size() + 1) : std::string_view{arguments[i + 1]};
        if (const auto checked = check_mode(mode, start); !checked) return checked.error();
        mode_given = true;
    }
    // Set explicitly, because a settings file may name another mode.
    if (!mode_given) start.argv.insert(start.argv.end(), {std::string{mode_flag}, "default"});
    start.argv.insert(start.argv.end(), arguments.begin(), arguments.end());
    if (asks == Asks::everything)
        start.argv.insert(start.argv.end(), {std::string{settings_flag}, std::string{ask_everything}});
    return start;
}

std::vector<std::string> inherited(const std::vector<std::string>& names) {
    return inherited_environment(names, own_variables);
}

}  // namespace countersign::runtimes::claude
