// SPDX-License-Identifier: Apache-2.0
#include "app/config/sections.hpp"

#include "app/config/nearest.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace countersign::app {

namespace {

// A pattern of stars alone narrows nothing.
bool narrows(std::string_view pattern) {
    return std::ranges::any_of(pattern, [](char c) { return c != '*' && c != ' '; });
}

template <class Rule> bool narrows_anything(const Rule& rule) {
    return narrows(rule.tool) || narrows(rule.command) || narrows(rule.path) || narrows(rule.host);
}

template <class Rule> void read_patterns(Fields& fields, Rule& rule) {
    rule.tool = fields.text("tool", "\"Bash\"").value_or("");
    rule.command = fields.text("command", "\"git status *\"").value_or("");
    rule.path = fields.text("path", "\"src/*\"").value_or("");
    rule.host = fields.text("host", "\"*.example.org\"").value_or("");
}

// Names are unique: the record of a decision says which rule spoke.
std::string read_name(Fields& fields, std::string fallback, std::set<std::string>& taken) {
    auto name = fields.text("name", "\"" + fallback + "\"").value_or(std::move(fallback));
    if (!is_name(name)) fields.reject("name", "this is no name", "write 1 to 64 of a-z, 0-9, _ and -");
    if (!taken.insert(name).second) {
        fields.reject("name", "another rule is called " + name, "write another name");
    }
    return name;
}

PolicyRule read_policy_rule(Fields& fields, std::string name) {
    PolicyRule rule;
    rule.name = std::move(name);
    const auto effect = fields.one_of("effect", policy_effect_named, {"allow", "ask", "deny"});
    if (fields.node("effect") == nullptr) {
        fields.reject("effect", "a rule needs an effect", "write effect = \"ask\", \"allow\" or \"deny\"");
    }
    rule.effect = effect.value_or(PolicyEffect::ask);
    rule.agent = fields.text("agent", "\"prod-*\"").value_or("");
    read_patterns(fields, rule);
    if (effect == PolicyEffect::allow && !narrows_anything(rule)) {
        fields.reject("effect", "this would allow everything without asking anybody",
                      "name at least one of tool, command, path and host");
    }
    return rule;
}

RiskRule read_risk_rule(Fields& fields, std::string name) {
    RiskRule rule;
    rule.name = std::move(name);
    read_patterns(fields, rule);
    const auto level = fields.one_of("level", risk_level_named, {"low", "medium", "high"});
    if (fields.node("level") == nullptr) {
        fields.reject("level", "a rule needs a level", "write level = \"low\", \"medium\" or \"high\"");
    }
    rule.level = level.value_or(RiskLevel::high);
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
        configuration.rules.policy.push_back(read_policy_rule(fields, std::move(name)));
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

void read_always(Fields& root, Configuration& configuration) {
    const auto* node = root.node("always");
    if (node == nullptr) return;
    Fields fields{*node, "always", root.problems()};
    for (const auto runtime : known_runtimes) {
        if (const auto mode = fields.one_of(runtime, always_mode_named, {"grant", "native"})) {
            configuration.always.emplace(runtime, *mode);
        }
    }
    fields.finish();
}

}  // namespace countersign::app
