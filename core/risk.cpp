// SPDX-License-Identifier: Apache-2.0
#include "core/risk.hpp"

#include "core/call_command.hpp"
#include "core/call_paths.hpp"
#include "core/command/pattern.hpp"
#include "core/command/risk.hpp"
#include "core/glob.hpp"
#include "core/path.hpp"
#include "core/private_host.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace countersign {

namespace {

constexpr std::array<std::pair<RiskLevel, std::string_view>, 3> levels{
    {{RiskLevel::low, "low"}, {RiskLevel::medium, "medium"}, {RiskLevel::high, "high"}}};

// Tool names of the known runtimes and ACP's tool kinds; lower case, without '_' and '-'.
constexpr auto tools = std::to_array<std::pair<std::string_view, ToolClass>>({
    {"read", ToolClass::read},          {"readfile", ToolClass::read},    {"readmanyfiles", ToolClass::read},
    {"notebookread", ToolClass::read},  {"view", ToolClass::read},        {"grep", ToolClass::read},
    {"glob", ToolClass::read},          {"ls", ToolClass::read},          {"list", ToolClass::read},
    {"listdirectory", ToolClass::read}, {"search", ToolClass::read},      {"searchfilecontent", ToolClass::read},
    {"grepsearch", ToolClass::read},    {"edit", ToolClass::edit},        {"multiedit", ToolClass::edit},
    {"write", ToolClass::edit},         {"writefile", ToolClass::edit},   {"notebookedit", ToolClass::edit},
    {"replace", ToolClass::edit},       {"applypatch", ToolClass::edit},  {"patch", ToolClass::edit},
    {"filechange", ToolClass::edit},    {"createfile", ToolClass::edit},  {"deletefile", ToolClass::edit},
    {"movefile", ToolClass::edit},      {"delete", ToolClass::edit},      {"move", ToolClass::edit},
    {"bash", ToolClass::execute},       {"shell", ToolClass::execute},    {"runshellcommand", ToolClass::execute},
    {"execute", ToolClass::execute},    {"exec", ToolClass::execute},     {"execcommand", ToolClass::execute},
    {"localshell", ToolClass::execute}, {"command", ToolClass::execute},  {"commandexecution", ToolClass::execute},
    {"runcommand", ToolClass::execute}, {"terminal", ToolClass::execute}, {"powershell", ToolClass::execute},
    {"pwsh", ToolClass::execute},       {"cmd", ToolClass::execute},      {"fetch", ToolClass::fetch},
    {"webfetch", ToolClass::fetch},     {"websearch", ToolClass::fetch},  {"googlewebsearch", ToolClass::fetch},
});

// One list for the whole program, because rules in the configuration refer to the names. A test finds missing ones.
constexpr auto rule_names = std::to_array<BuiltInRisk>({
    {"argument overwrites, deletes or runs", RiskLevel::high, RiskLevel::high},
    {"argument runs a program", RiskLevel::high, RiskLevel::high},
    {"argument writes a file", RiskLevel::high, RiskLevel::high},
    {"changes the repository", RiskLevel::medium, RiskLevel::medium},
    {"changes the system", RiskLevel::high, RiskLevel::high},
    {"command text differs", RiskLevel::high, RiskLevel::high},
    {"deletes files", RiskLevel::high, RiskLevel::high},
    {"files not read in time", RiskLevel::high, RiskLevel::high},
    {"look-alike-host", RiskLevel::high, RiskLevel::high},
    {"may run programs of the repository", RiskLevel::medium, RiskLevel::medium},
    {"own settings", RiskLevel::high, RiskLevel::high},
    {"path that cannot be followed", RiskLevel::high, RiskLevel::high},
    {"private host", RiskLevel::high, RiskLevel::high},
    {"raised by the agent", RiskLevel::medium, RiskLevel::high},
    {"reaches the network", RiskLevel::medium, RiskLevel::high},
    {"read-only command", RiskLevel::low, RiskLevel::low},
    {"reads files", RiskLevel::low, RiskLevel::low},
    {"reads outside the working directory", RiskLevel::medium, RiskLevel::medium},
    {"repository chosen by the agent", RiskLevel::high, RiskLevel::high},
    {"secret path", RiskLevel::high, RiskLevel::high},
    {"unknown arguments", RiskLevel::high, RiskLevel::high},
    {"unknown command", RiskLevel::high, RiskLevel::high},
    {"unknown host", RiskLevel::high, RiskLevel::high},
    {"unknown target", RiskLevel::high, RiskLevel::high},
    {"unknown tool", RiskLevel::high, RiskLevel::high},
    {"unparsed command", RiskLevel::high, RiskLevel::high},
    {"unusual URL", RiskLevel::high, RiskLevel::high},
    {"unusual path", RiskLevel::high, RiskLevel::high},
    {"writes files", RiskLevel::medium, RiskLevel::medium},
    {"writes outside the working directory", RiskLevel::high, RiskLevel::high},
});

std::string folded(std::string_view tool_name) {
    std::string out;
    for (const char c : tool_name) {
        if (c == '_' || c == '-') continue;
        out += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
}

// A row that lowers the risk must be sure of every word; one that raises it needn't be. A command that couldn't be
// parsed is never lowered.
bool command_row_fits(const RiskRule& rule, const CallFacts& facts, const CommandWords* words) {
    const bool executes = facts.command || facts.tool_class == ToolClass::execute;
    if (rule.command.empty() && !(executes && rule.level != RiskLevel::high)) return true;
    if (words == nullptr) return false;
    if (rule.level == RiskLevel::high) return command_may_fit(rule.command, *words) == Fit::yes;
    return command_is_allowed(rule.command, *words, facts);
}

// A row that raises the risk needs one matching path or host. A row that lowers it needs at least one, and all must
// match. `words` is null if the call runs no command or one that can't be parsed.
bool fits(const RiskRule& rule, const CallFacts& facts, const CommandWords* words) {
    const bool any = rule.level == RiskLevel::high;
    const bool tool_alone = !rule.tool.empty() && rule.command.empty() && rule.path.empty() && rule.host.empty();
    if (!any && beyond_patterns(facts, tool_alone)) return false;
    if (!rule.tool.fits(facts.tool_name)) return false;
    if (!command_row_fits(rule, facts, words)) return false;
    const auto path_fits_row = any ? some_path_fits : every_path_fits;
    if (!rule.path.empty() && !path_fits_row(rule.path, facts)) return false;
    const auto host_ok = [&](const std::string& host) { return glob_fits_folded(rule.host, host); };
    if (rule.host.empty()) return true;
    if (any) return std::ranges::any_of(facts.hosts, host_ok) || std::ranges::any_of(facts.possible_hosts, host_ok);
    // Which words of a command are hosts is a guess.
    return !facts.odd_url && !facts.command && !facts.hosts.empty() && std::ranges::all_of(facts.hosts, host_ok);
}

Risk unseen_risk(const FileView& files) {
    if (!files.in_time) return {RiskLevel::high, "files not read in time"};
    return {RiskLevel::high, "path that cannot be followed"};
}

Risk file_risk(const CallFacts& facts) {
    if (facts.odd_path) return {RiskLevel::high, "unusual path"};
    if (facts.files && !facts.files->complete) return unseen_risk(*facts.files);
    const bool all_inside = every_path_inside(facts);
    if (facts.tool_class == ToolClass::read) {
        if (all_inside) return {RiskLevel::low, "reads files"};
        return {RiskLevel::medium, "reads outside the working directory"};
    }
    if (facts.paths.empty()) return {RiskLevel::high, "unknown target"};
    if (all_inside) return {RiskLevel::medium, "writes files"};
    return {RiskLevel::high, "writes outside the working directory"};
}

bool reaches_private_host(const CallFacts& facts) {
    return std::ranges::any_of(facts.hosts, is_private_host) ||
           std::ranges::any_of(facts.possible_hosts, is_private_host);
}

Risk fetch_risk(const CallFacts& facts) {
    const bool search = folded(facts.tool_name).ends_with("search");
    if (facts.hosts.empty() && !search) return {RiskLevel::high, "unknown host"};
    if (reaches_private_host(facts)) return {RiskLevel::high, "private host"};
    return {RiskLevel::medium, "reaches the network"};
}

// A command that is only uncertain because of wildcards is as risky as its riskiest part.
Risk unparsed_risk(const CallFacts& facts) {
    const auto list = commands_with_wildcards(facts);
    if (!list) return {RiskLevel::high, "unparsed command"};
    Risk worst{RiskLevel::low, ""};
    for (const auto& words : *list) {
        auto risk = wildcard_risk(words, {.cwd = facts.cwd, .elsewhere = facts.elsewhere});
        if (worst.rule.empty() || risk.level > worst.level) worst = std::move(risk);
    }
    return worst;
}

// The words of a command may say one thing and the links that they go through another.
Risk executed_risk(const CallFacts& facts, const CommandWords* words) {
    if (words == nullptr) return unparsed_risk(facts);
    auto risk = command_risk(*words, {.cwd = facts.cwd, .elsewhere = facts.elsewhere});
    if (!facts.files || risk.level == RiskLevel::high) return risk;
    if (some_path(facts, bears_secrets)) return {RiskLevel::high, "secret path"};
    if (!facts.files->complete) return unseen_risk(*facts.files);
    if (every_path_inside(facts)) return risk;
    if (risk.level == RiskLevel::low) return {RiskLevel::medium, "reads outside the working directory"};
    if (risk.rule == "writes files") return {RiskLevel::high, "writes outside the working directory"};
    return risk;
}

Risk built_in(const CallFacts& facts, const CommandWords* words) {
    if (facts.tool_class == ToolClass::execute) return executed_risk(facts, words);
    if (some_path(facts, bears_secrets) || selects_secret(facts)) return {RiskLevel::high, "secret path"};
    switch (facts.tool_class) {
    case ToolClass::read:
    case ToolClass::edit:
        return file_risk(facts);
    case ToolClass::fetch:
        return fetch_risk(facts);
    case ToolClass::execute:
    case ToolClass::other:
        break;
    }
    return {RiskLevel::high, "unknown tool"};
}

Risk assess_part(const CallFacts& facts, const std::vector<RiskRule>& table, const CommandWords* words) {
    const auto row = std::ranges::find_if(table, [&](const RiskRule& rule) { return fits(rule, facts, words); });
    if (row != table.end()) return {row->level, row->name};
    auto risk = built_in(facts, words);
    if (risk.level == RiskLevel::high) return risk;
    if (facts.unknown_members) return {RiskLevel::high, "unknown arguments"};
    if (facts.odd_path) return {RiskLevel::high, "unusual path"};
    return risk;
}

// A list is as risky as its riskiest part.
Risk assess_all(const CallFacts& facts, const std::vector<RiskRule>& table) {
    const auto list = parsed_commands(facts);
    if (!list) return assess_part(facts, table, nullptr);
    Risk worst{RiskLevel::low, ""};
    for (const auto& words : *list) {
        auto risk = assess_part(facts, table, &words);
        if (worst.rule.empty() || risk.level > worst.level) worst = std::move(risk);
    }
    return worst;
}

// Text of PowerShell or cmd.exe: a backslash is a path separator, and ` and ^ are escapes.
std::string with_slashes(std::string text) {
    std::ranges::replace(text, '\\', '/');
    std::erase_if(text, [](char c) { return c == '`' || c == '^'; });
    return text;
}

// `list` is the result of parsed_commands.
bool command_only_reads(const CallFacts& facts, const std::optional<std::vector<CommandWords>>& list) {
    if (list) return std::ranges::all_of(*list, only_reads);
    const auto wild = commands_with_wildcards(facts);
    return wild && std::ranges::all_of(*wild, only_reads) && unparsed_risk(facts).level != RiskLevel::high;
}

bool command_touches_own_settings(const CallFacts& facts) {
    const auto list = parsed_commands(facts);
    if (command_only_reads(facts, list)) return false;
    // A relative word in such a directory names such a file under any name.
    if (is_own_setting(facts.cwd, "") || mentions_own_setting(*facts.command)) return true;
    if (!is_posix_shell(facts.tool_name) && mentions_own_setting(with_slashes(*facts.command))) return true;
    if (facts.files && is_own_setting(facts.files->cwd, "")) return true;
    if (some_path(facts, is_own_setting)) return true;
    const auto named = [&](const std::string& word) { return is_own_setting(word, facts.cwd); };
    return list && std::ranges::any_of(*list, [&](const auto& words) { return std::ranges::any_of(words, named); });
}

}  // namespace

std::string_view name(RiskLevel level) {
    const auto* found = std::ranges::find(levels, level, &decltype(levels)::value_type::first);
    return found == levels.end() ? std::string_view{"high"} : found->second;
}

std::optional<RiskLevel> risk_level_named(std::string_view text) {
    const auto* found = std::ranges::find(levels, text, &decltype(levels)::value_type::second);
    if (found == levels.end()) return std::nullopt;
    return found->first;
}

std::span<const BuiltInRisk> built_in_risk_rules() { return rule_names; }

ToolClass tool_class_of(std::string_view tool_name) {
    const auto word = folded(tool_name);
    for (const auto& [known, tool_class] : tools) {
        if (known == word) return tool_class;
    }
    return ToolClass::other;
}

bool is_posix_shell(std::string_view tool_name) {
    const auto word = folded(tool_name);
    return word.find("powershell") == word.npos && word.find("pwsh") == word.npos && word != "cmd";
}

Risk assess(const CallFacts& facts, const std::vector<RiskRule>& table) {
    if (touches_own_settings(facts)) return {RiskLevel::high, "own settings"};
    // A pattern meant for the host that this one looks like must not make it low.
    if (facts.look_alike_host) return {RiskLevel::high, "look-alike-host"};
    if (facts.odd_url && facts.tool_class == ToolClass::fetch) {
        return {RiskLevel::high, reaches_private_host(facts) ? "private host" : "unusual URL"};
    }
    return assess_all(facts, table);
}

bool beyond_patterns(const CallFacts& facts, bool rule_of_tool_alone) {
    return (facts.unknown_members || facts.odd_path) && !(rule_of_tool_alone && facts.tool_class == ToolClass::other);
}

bool touches_own_settings(const CallFacts& facts) {
    if (facts.command && command_touches_own_settings(facts)) return true;
    if (facts.tool_class == ToolClass::read || facts.tool_class == ToolClass::fetch) return false;
    if (facts.tool_class != ToolClass::execute) return some_path(facts, is_own_setting);
    // For a command, resolved paths were checked above.
    return std::ranges::any_of(facts.paths, [&](const std::string& path) { return is_own_setting(path, facts.cwd); });
}

}  // namespace countersign
