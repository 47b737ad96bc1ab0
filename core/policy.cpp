// SPDX-License-Identifier: Apache-2.0
#include "core/policy.hpp"

#include "core/command_line.hpp"
#include "core/glob.hpp"
#include "core/path.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace countersign {

namespace {

constexpr std::array<std::pair<PolicyEffect, std::string_view>, 3> effects{
    {{PolicyEffect::allow, "allow"}, {PolicyEffect::ask, "ask"}, {PolicyEffect::deny, "deny"}}};

using Words = std::optional<std::vector<std::string>>;

bool climbs(std::string_view word) {
    return word == ".." || word.starts_with("../") || word.ends_with("/..") || word.find("/../") != word.npos ||
           word.find("=../") != word.npos;
}

// An allow must be right about every word and every path; an ask or a deny need be right about one of them, and is
// believed about what could not be read.
bool allow_fits(const PolicyRule& rule, const CallFacts& facts, const Words& words) {
    const bool executes = facts.command || facts.tool_class == ToolClass::execute;
    if (executes && !words) return false;
    if (!rule.command.empty()) {
        // "src/*" is not meant to fit "src/../../etc".
        if (!words || !command_fits(rule.command, *words) || std::ranges::any_of(*words, climbs)) return false;
    }
    if (!rule.path.empty()) {
        // Which words of a command are paths is a guess, good enough to refuse and not to allow.
        if (executes || facts.paths.empty()) return false;
        const auto fits = [&](const std::string& path) { return path_fits(rule.path, path, facts.cwd); };
        if (!std::ranges::all_of(facts.paths, fits)) return false;
    }
    if (rule.host.empty()) return true;
    const auto host_fits = [&](const std::string& host) { return glob_fits(rule.host, host); };
    return !facts.hosts.empty() && std::ranges::all_of(facts.hosts, host_fits);
}

bool some_path_fits(const PolicyRule& rule, const CallFacts& facts, const Words& words) {
    const auto fits = [&](const std::string& path) { return path_fits(rule.path, path, facts.cwd); };
    if (std::ranges::any_of(facts.paths, fits)) return true;
    if (!facts.command) return facts.paths.empty() && facts.tool_class == ToolClass::edit;
    return !words || std::ranges::any_of(*words, fits);
}

bool some_host_fits(const PolicyRule& rule, const CallFacts& facts, const Words& words) {
    const auto fits = [&](const std::string& host) { return glob_fits(rule.host, host); };
    if (std::ranges::any_of(facts.hosts, fits)) return true;
    if (facts.command) return !words;
    return facts.hosts.empty() && facts.tool_class == ToolClass::fetch;
}

bool refusal_fits(const PolicyRule& rule, const CallFacts& facts, const Words& words) {
    const bool executes = facts.command || facts.tool_class == ToolClass::execute;
    if (!rule.command.empty() && (!executes || (words && !command_fits(rule.command, *words)))) return false;
    if (!rule.path.empty() && !some_path_fits(rule, facts, words)) return false;
    return rule.host.empty() || some_host_fits(rule, facts, words);
}

bool fits(const PolicyRule& rule, const CallFacts& facts, const Words& words) {
    if (!rule.agent.empty() && !glob_fits(rule.agent, facts.agent_id)) return false;
    if (!rule.tool.empty() && !glob_fits(rule.tool, facts.tool_name)) return false;
    if (rule.effect == PolicyEffect::allow) return allow_fits(rule, facts, words);
    return refusal_fits(rule, facts, words);
}

}  // namespace

std::string_view name(PolicyEffect effect) {
    const auto* found = std::ranges::find(effects, effect, &decltype(effects)::value_type::first);
    return found == effects.end() ? std::string_view{"ask"} : found->second;
}

std::optional<PolicyEffect> policy_effect_named(std::string_view text) {
    const auto* found = std::ranges::find(effects, text, &decltype(effects)::value_type::second);
    if (found == effects.end()) return std::nullopt;
    return found->first;
}

PolicyVerdict evaluate(const std::vector<PolicyRule>& policy, const CallFacts& facts) {
    const auto words = facts.command ? simple_command(*facts.command) : std::nullopt;
    for (const auto effect : {PolicyEffect::deny, PolicyEffect::ask, PolicyEffect::allow}) {
        const auto rule = std::ranges::find_if(policy, [&](const PolicyRule& candidate) {
            return candidate.effect == effect && fits(candidate, facts, words);
        });
        if (rule != policy.end()) return {effect, rule->name};
    }
    return {};
}

Judgement judge(const CallFacts& facts, const Rules& rules) {
    Judgement judgement{.risk = assess(facts, rules.risk), .policy = evaluate(rules.policy, facts), .may_grant = true};
    if (!touches_own_settings(facts)) return judgement;
    judgement.may_grant = false;
    if (judgement.policy.effect != PolicyEffect::deny) judgement.policy = {PolicyEffect::ask, "own settings"};
    return judgement;
}

}  // namespace countersign
