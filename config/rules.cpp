// SPDX-License-Identifier: Apache-2.0
#include "config/sections.hpp"

#include "config/nearest.hpp"
#include "config/pattern_mistakes.hpp"
#include "core/command/pattern.hpp"
#include "core/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace countersign::config {

namespace {

constexpr std::size_t rule_values_max = 64;  // for tool and for risk_rule

// A pattern of only stars narrows nothing, nor does a list that contains one.
bool narrows(std::string_view pattern) {
    return std::ranges::any_of(pattern, [](char c) { return c != '*' && c != ' '; });
}
bool each_narrows(const Patterns& patterns) {
    return !patterns.empty() &&
           std::ranges::all_of(patterns.all(), [](std::string_view pattern) { return narrows(pattern); });
}

template <class Rule> bool narrows_anything(const Rule& rule) {
    return each_narrows(rule.tool) || narrows(rule.command) || narrows(rule.path) || narrows(rule.host);
}

// A string, or a list of strings.
std::vector<std::string> one_or_several(Fields& fields, std::string_view key, std::string_view example) {
    const auto* node = fields.node(key);
    std::vector<std::string> several;
    if (node == nullptr) return several;
    if (node->list() == nullptr) {
        if (auto one = fields.text(key, example)) several.push_back(std::move(*one));
        return several;
    }
    for (auto& word : fields.words(key, example)) several.push_back(std::move(word.text));
    if (several.empty())
        fields.reject(key, "an empty list", "write " + std::string{key} + " = " + std::string{example});
    if (several.size() > rule_values_max) {
        fields.reject(key, std::to_string(several.size()) + " values, at most " + std::to_string(rule_values_max));
    }
    return several;
}

// Translates other programs' syntax (Read|Grep, "Read, Grep", Bash(git *)) into a list, or into `command` and the like.
std::string instead_of_tool(std::string_view text) {
    if (const auto open = text.find('('); open != text.npos) {
        return "write tool = \"" + std::string{text.substr(0, open)} +
               "\", and command, path or host for what it may do";
    }
    std::string list;
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of("|, "), text.size());
        if (end > 0) list += (list.empty() ? "\"" : ", \"") + std::string{text.substr(0, end)} + "\"";
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return list.empty() ? "write tool = \"Read\"" : "write tool = [" + list + "]";
}

Patterns read_tools(Fields& fields) {
    auto tools = one_or_several(fields, "tool", "\"Bash\"");
    for (const auto& tool : tools) {
        if (!is_tool_pattern(tool)) fields.reject("tool", "no tool is called " + tool, instead_of_tool(tool));
    }
    return Patterns{std::move(tools)};
}

// True if there was no mistake.
bool expect_none(Fields& fields, std::string_view key, std::optional<PatternMistake> mistake) {
    if (mistake) fields.reject(key, std::move(mistake->what), std::move(mistake->instead));
    return !mistake;
}

void check_command(Fields& fields, std::string_view command, bool allows) {
    if (!expect_none(fields, "command", mistake_in_command(command))) return;
    const auto [flaw, found] = flaw_of(command, allows);
    const std::string word{found};
    switch (flaw) {
    case PatternFlaw::none:
        return;
    case PatternFlaw::list:
        return fields.reject("command", word + " never fits: each command of a list is compared alone",
                             "write a rule for each command");
    case PatternFlaw::wrapper:
        return fields.reject("command", word + " never fits: it runs another command, which always asks",
                             "leave the rule out");
    case PatternFlaw::option:
        return fields.reject("command", "no rule allows " + word + ": it runs a program, writes or deletes",
                             "leave the option out, or write effect = \"ask\"");
    }
}

// Reports conditions that no call of this tool can meet. `eases`: the rule allows, or lowers the risk.
template <class Rule> bool check_tool(Fields& fields, const Rule& rule, std::string_view tool, bool eases) {
    const auto never = [&](std::string_view key, std::string_view what, std::string_view instead) {
        fields.reject(key, fmt::format("{} {}", tool, what), std::string{instead});
        return false;
    };
    const auto tool_class = tool_class_of(tool);
    const bool executes = tool_class == ToolClass::execute;
    if (!rule.command.empty() && !executes) return never("command", "runs no command", "leave command or tool out");
    if (!rule.command.empty() && eases && !is_posix_shell(tool)) {
        return never("command", "has a grammar of its own, and no rule eases its commands", "leave the rule out");
    }
    if (!rule.path.empty() && tool_class == ToolClass::fetch) {
        return never("path", "has no path", "write host = \"*.example.org\" for where it may go");
    }
    if (!rule.host.empty() && tool_class == ToolClass::edit)
        return never("host", "has no host", "leave host or tool out");
    if (!eases || !executes || (rule.path.empty() && rule.host.empty())) return true;
    return never(rule.path.empty() ? "host" : "path", "runs commands, and no rule eases one by its path or host",
                 "write command = \"cat docs/*\"");
}

// A pattern with wildcards may match an unknown tool, which may have any of these fields.
template <class Rule> void check_places(Fields& fields, const Rule& rule, bool eases) {
    const bool placed = !rule.path.empty() || !rule.host.empty();
    for (const auto& tool : rule.tool.all()) {
        const bool known = tool.find_first_of("*?") == tool.npos && tool_class_of(tool) != ToolClass::other;
        if (known && !check_tool(fields, rule, tool, eases)) return;
    }
    if (eases && placed && !rule.command.empty()) {
        fields.reject(rule.path.empty() ? "host" : "path", "no rule eases a command by its path or host",
                      "write the path in command, such as command = \"cat docs/*\"");
    }
    if (!expect_none(fields, "path", mistake_in_path(rule.path))) return;
    expect_none(fields, "host", mistake_in_host(rule.host, eases));
}

template <class Rule> void read_patterns(Fields& fields, Rule& rule) {
    rule.tool = read_tools(fields);
    rule.command = fields.text("command", "\"git status *\"").value_or("");
    rule.path = fields.text("path", "\"src/*\"").value_or("");
    rule.host = fields.text("host", "\"*.example.org\"").value_or("");
}

// The names of the risk rules, both configured and built in.
std::vector<std::string_view> risk_rule_names(const std::vector<RiskRule>& table) {
    std::vector<std::string_view> names;
    for (const auto& rule : built_in_risk_rules()) names.push_back(rule.name);
    for (const auto& rule : table) names.push_back(rule.name);
    return names;
}

// No rule may allow calls that we could not read, or that always ask.
bool is_never_allowed(std::string_view risk_rule) {
    constexpr auto never =
        std::to_array<std::string_view>({"argument runs a program", "argument writes a file", "command text differs",
                                         "own settings", "unknown arguments", "unparsed command"});
    return std::ranges::find(never, risk_rule) != never.end();
}

bool gives_level(std::string_view risk_rule, RiskLevel level) {
    const auto rules = built_in_risk_rules();
    const auto rule = std::ranges::find(rules, risk_rule, &BuiltInRisk::name);
    return rule == rules.end() || (rule->least <= level && level <= rule->most);
}

void read_risk_match(Fields& fields, const std::vector<RiskRule>& table, PolicyRule& rule) {
    rule.risk = fields.one_of("risk", risk_level_named, {"low", "medium", "high"});
    auto named = one_or_several(fields, "risk_rule", "\"secret path\"");
    const auto names = risk_rule_names(table);
    for (const auto& one : named) {
        if (std::ranges::find(names, one) == names.end()) {
            fields.reject("risk_rule", "no risk rule is called " + one,
                          did_you_mean(one, names, "docs/CONFIGURATION.md lists them"));
        } else if (rule.effect == PolicyEffect::allow && is_never_allowed(one)) {
            fields.reject("risk_rule", "no rule allows a call of risk \"" + one + "\"", "write effect = \"ask\"");
        } else if (rule.risk && !gives_level(one, *rule.risk)) {
            fields.reject("risk_rule", "\"" + one + "\" is never " + std::string{countersign::name(*rule.risk)},
                          "leave risk out");
        }
    }
    rule.risk_rule = Patterns{std::move(named)};
}

// Names are unique, because the record of a decision names the rule.
std::string read_name(Fields& fields, std::string fallback, std::set<std::string>& taken) {
    auto name = fields.text("name", "\"" + fallback + "\"").value_or(std::move(fallback));
    if (!is_name(name)) fields.reject("name", "this is no name", "write 1 to 64 of a-z, 0-9, _ and -");
    if (!taken.insert(name).second) {
        fields.reject("name", "another rule is called " + name, "write another name");
    }
    return name;
}

PolicyRule read_policy_rule(Fields& fields, std::string name, const std::vector<RiskRule>& table) {
    PolicyRule rule;
    rule.name = std::move(name);
    const auto effect = fields.one_of("effect", policy_effect_named, {"allow", "ask", "deny"});
    if (fields.node("effect") == nullptr) {
        fields.reject("effect", "a rule needs an effect", "write effect = \"ask\", \"allow\" or \"deny\"");
    }
    rule.effect = effect.value_or(PolicyEffect::ask);
    rule.agent = fields.text("agent", "\"prod-*\"").value_or("");
    read_patterns(fields, rule);
    read_risk_match(fields, table, rule);
    check_command(fields, rule.command, effect == PolicyEffect::allow);
    check_places(fields, rule, effect == PolicyEffect::allow);
    const bool by_risk = (rule.risk && *rule.risk != RiskLevel::high) || !rule.risk_rule.empty();
    if (effect == PolicyEffect::allow && !narrows_anything(rule) && !by_risk) {
        fields.reject("effect", "this would allow everything without asking anybody",
                      "name at least one of tool, command, path and host, or risk = \"low\"");
    }
    return rule;
}

RiskRule read_risk_rule(Fields& fields, std::string name) {
    RiskRule rule;
    rule.name = std::move(name);
    read_patterns(fields, rule);
    check_command(fields, rule.command, false);
    const auto level = fields.one_of("level", risk_level_named, {"low", "medium", "high"});
    if (fields.node("level") == nullptr) {
        fields.reject("level", "a rule needs a level", "write level = \"low\", \"medium\" or \"high\"");
    }
    rule.level = level.value_or(RiskLevel::high);
    check_places(fields, rule, rule.level != RiskLevel::high);
    if (level && *level != RiskLevel::high && !narrows_anything(rule)) {
        fields.reject("level", "this would make every call " + std::string{countersign::name(*level)},
                      "name at least one of tool, command, path and host");
    }
    return rule;
}

std::optional<AlwaysMode> always_mode_named(std::string_view text) {
    if (text == "grant") return AlwaysMode::grant;
    if (text == "native") return AlwaysMode::native;
    return std::nullopt;
}

}  // namespace

void read_policy(Fields& root, Configuration& configuration) {
    std::set<std::string> names;
    const auto found = rows(root, "policy", limits::rules_max);
    for (std::size_t i = 0; i < found.size() && !root.problems().full(); ++i) {
        Fields fields{*found[i].node, found[i].path, root.problems()};
        auto name = read_name(fields, "policy-" + std::to_string(i + 1), names);
        configuration.rules.policy.push_back(read_policy_rule(fields, std::move(name), configuration.rules.risk));
        fields.finish();
    }
}

void read_risk(Fields& root, Configuration& configuration) {
    std::set<std::string> names;
    const auto found = rows(root, "risk", limits::rules_max);
    for (std::size_t i = 0; i < found.size() && !root.problems().full(); ++i) {
        Fields fields{*found[i].node, found[i].path, root.problems()};
        auto name = read_name(fields, "risk-" + std::to_string(i + 1), names);
        configuration.rules.risk.push_back(read_risk_rule(fields, std::move(name)));
        fields.finish();
    }
}

void read_always(Fields& root, Configuration& configuration, std::span<const std::string_view> runtimes) {
    const auto* node = root.node("always");
    if (node == nullptr) return;
    Fields fields{*node, "always", root.problems()};
    for (const auto runtime : runtimes) {
        if (const auto mode = fields.one_of(runtime, always_mode_named, {"grant", "native"})) {
            configuration.always.emplace(runtime, *mode);
        }
    }
    fields.finish();
}

}  // namespace countersign::config
