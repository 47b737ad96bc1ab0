// SPDX-License-Identifier: Apache-2.0
#include "runtimes/codex/command.hpp"

#include "runtimes/inherited_environment.hpp"

#include <algorithm>
#include <array>

namespace countersign::runtimes::codex {

namespace {

constexpr auto own_variables = std::to_array<std::string_view>({"CODEX_", "OPENAI_"});

struct Known {
    std::string_view key;
    std::string_view why;
};

// Settings that Countersign makes itself, for the thread.
constexpr auto refused = std::to_array<Known>({
    {"approval_policy", "is set by Countersign: use --approval-policy before --"},
    {"approvals_reviewer", "is set by Countersign: a person reviews"},
    {"sandbox_mode", "is set by Countersign: use --sandbox before --"},
});
constexpr auto reported = std::to_array<Known>({
    {"hooks", "a hook may answer before a person does"},
    {"mcp_servers", "a server's settings may let its tools run without asking"},
    {"permissions", "may let more commands run without asking"},
    {"default_permissions", "may let more commands run without asking"},
    {"sandbox_workspace_write", "widens the sandbox"},
});

// "sandbox_mode" and "features.hooks" from "features.hooks = true", without the quotes that TOML allows in a key.
std::string key_of(std::string_view setting) {
    std::string key;
    for (const char c : setting.substr(0, setting.find('='))) {
        if (c != '"' && c != '\'' && c != ' ' && c != '\t') key += c;
    }
    return key;
}

template <class List> const Known* find(const List& list, const std::string& key) {
    const auto found = std::ranges::find_if(
        list, [&](const Known& known) { return key == known.key || key.starts_with(std::string{known.key} + "."); });
    return found == list.end() ? nullptr : &*found;
}

Error refusal(std::string_view argument, std::string_view why) {
    return {Errc::unsupported, std::string{argument} + ": " + std::string{why} + "; leave it out"};
}

Result<void> check_setting(std::string_view setting, StartCommand& start) {
    const auto key = key_of(setting);
    if (const auto* known = find(refused, key)) return refusal("-c " + key, known->why);
    if (const auto* known = find(reported, key)) start.warnings.push_back("-c " + key + ": " + std::string{known->why});
    return {};
}

Result<void> check_choices(const StartOptions& options, StartCommand& start) {
    if (options.approval_policy != "untrusted" && options.approval_policy != "on-request") {
        return Error{Errc::unsupported, "--approval-policy " + options.approval_policy +
                                            ": does not ask a person; use untrusted or on-request"};
    }
    if (options.sandbox == "danger-full-access") {
        start.warnings.emplace_back(
            "--sandbox danger-full-access: what Codex runs without asking is not confined at all");
    } else if (options.sandbox != "workspace-write" && options.sandbox != "read-only") {
        return Error{Errc::unsupported,
                     "--sandbox " + options.sandbox + ": use read-only, workspace-write or danger-full-access"};
    }
    if (options.approval_policy == "on-request") {
        start.warnings.emplace_back("--approval-policy on-request: what Codex's sandbox allows runs without asking");
    }
    return {};
}

}  // namespace

Result<StartCommand> start_command(const std::string& binary, const std::vector<std::string>& arguments,
                                   const StartOptions& options) {
    StartCommand start;
    if (const auto checked = check_choices(options, start); !checked) return checked.error();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        const bool setting = argument == "-c" || argument == "--config";
        if (setting || argument == "--enable" || argument == "--disable") {
            if (i + 1 == arguments.size()) return refusal(argument, "needs a value");
            const auto value = setting ? arguments[i + 1] : "features." + arguments[i + 1];
            if (const auto checked = check_setting(value, start); !checked) return checked.error();
            ++i;
        } else if (argument.starts_with("--config=")) {
            if (const auto checked = check_setting(argument.substr(9), start); !checked) return checked.error();
        } else if (argument != "--strict-config") {
            return refusal(argument, "only -c, --config, --enable, --disable and --strict-config are accepted");
        }
    }
    start.argv = {binary, "app-server"};
    start.argv.insert(start.argv.end(), arguments.begin(), arguments.end());
    return start;
}

std::vector<std::string> inherited(const std::vector<std::string>& names) {
    return inherited_environment(names, own_variables);
}

}  // namespace countersign::runtimes::codex
