// SPDX-License-Identifier: Apache-2.0
#include "runtimes/acp/command.hpp"

#include "runtimes/inherited_environment.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace countersign::runtimes::acp {

namespace {

constexpr auto own_variables =
    std::to_array<std::string_view>({"ANTHROPIC_", "CLAUDE_", "CODEX_", "GEMINI_", "GOOGLE_", "OPENAI_", "OPENCODE_"});

struct Known {
    std::string_view flag;  // as folded below
    std::string_view why;
};
constexpr std::string_view nobody_asked = "runs every call without asking";
constexpr std::string_view our_part = "is set by Countersign";
constexpr auto refused = std::to_array<Known>({
    {"yolo", nobody_asked},
    {"dangerouslyskippermissions", nobody_asked},
    {"allowdangerouslyskippermissions", "lets the session be switched to run every call without asking"},
    {"dangerouslybypassapprovalsandsandbox", nobody_asked},
    {"fullauto", "runs calls without asking"},
});
// Only for programs that we know.
constexpr auto refused_of_known = std::to_array<Known>({
    {"acp", our_part},
    {"experimentalacp", our_part},
    {"prompt", "ends after one prompt; write --prompt '…' before --"},
    {"promptinteractive", "needs a terminal; write --prompt '…' before --"},
});
constexpr auto reported = std::to_array<Known>({
    {"allowedtools", "lets the tools it names run without asking"},
    {"allowedmcpservernames", "may let the tools of these servers run without asking"},
    {"policy", "may hold rules that allow calls before anybody is asked"},
});
constexpr std::string_view mode_flag = "approvalmode";

// "approvalmode" for --approval-mode=yolo and --approvalMode; empty for other words.
std::string folded_flag(std::string_view argument) {
    if (!argument.starts_with("--")) return {};
    std::string folded;
    for (const char c : argument.substr(2, argument.find('=') - 2)) {
        if (c != '-' && c != '_') folded += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return folded;
}

// -y, also among other letters.
bool is_short_yolo(std::string_view argument) {
    const bool letters = argument.size() > 1 && argument[0] == '-' && argument[1] != '-';
    return letters && argument.substr(0, argument.find('=')).find('y') != std::string_view::npos;
}

Error refusal(std::string_view argument, std::string_view why) {
    return {Errc::unsupported, std::string{argument} + ": " + std::string{why} + "; leave it out"};
}

Result<void> check_mode(std::string_view argument, std::string_view mode, StartCommand& start) {
    if (mode == "default" || mode == "plan") return {};
    if (mode != "auto_edit") return refusal(std::string{argument} + " " + std::string{mode}, "does not ask a person");
    start.warnings.push_back(std::string{argument} + " auto_edit: edits run without asking");
    return {};
}

template <class List> const Known* find(const List& list, const std::string& flag) {
    const auto found = std::ranges::find(list, flag, &Known::flag);
    return found == list.end() ? nullptr : &*found;
}

}  // namespace

Result<StartCommand> start_command(const std::vector<std::string>& own, const std::vector<std::string>& arguments) {
    StartCommand start{.argv = own, .warnings = {}};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& argument = arguments[i];
        const auto flag = folded_flag(argument);
        if (const auto* known = find(refused, flag)) return refusal(argument, known->why);
        if (!own.empty()) {
            if (const auto* known = find(refused_of_known, flag)) return refusal(argument, known->why);
            if (is_short_yolo(argument)) return refusal(argument, nobody_asked);
        }
        if (const auto* known = find(reported, flag))
            start.warnings.push_back(argument + ": " + std::string{known->why});
        if (flag != mode_flag) continue;
        const auto equals = argument.find('=');
        const bool joined = equals != std::string::npos;
        if (!joined && i + 1 == arguments.size()) return refusal(argument, "needs a mode");
        const auto mode = joined ? argument.substr(equals + 1) : arguments[i + 1];
        if (const auto checked = check_mode(argument.substr(0, equals), mode, start); !checked) return checked.error();
    }
    start.argv.insert(start.argv.end(), arguments.begin(), arguments.end());
    if (start.argv.empty()) return Error{Errc::unsupported, "the agent's command is missing: give it after --"};
    return start;
}

std::vector<std::string> inherited(const std::vector<std::string>& names) {
    return inherited_environment(names, own_variables);
}

}  // namespace countersign::runtimes::acp
