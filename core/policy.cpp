// SPDX-License-Identifier: Apache-2.0
#include "core/policy.hpp"

#include "core/call_paths.hpp"
#include "core/command_line.hpp"
#include "core/glob.hpp"

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

// The host, if the text is an address: with or without a scheme, a user, a port and a path.
std::string host_in(std::string_view text) {
    if (const auto scheme = text.find("://"); scheme != text.npos) text.remove_prefix(scheme + 3);
    text = text.substr(0, text.find_first_of("/?#"));
    if (const auto user = text.rfind('@'); user != text.npos) text.remove_prefix(user + 1);
    text = text.starts_with('[') ? text.substr(0, text.find(']') + 1) : text.substr(0, text.find(':'));
    while (text.ends_with('.')) text.remove_suffix(1);
    std::string host{text};
    std::ranges::transform(host, host.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return host;
}

// A word of a command may be a host by itself, as the value of an option, or glued to a short one.
bool names_host(std::string_view pattern, std::string_view word) {
    const auto fits = [pattern](std::string_view text) { return glob_fits_folded(pattern, host_in(text)); };
    const auto equals = word.find('=');
    const bool glued = word.size() > 2 && word[0] == '-' && word[1] != '-';
    return fits(word) || (equals != word.npos && fits(word.substr(equals + 1))) || (glued && fits(word.substr(2)));
}

bool executes(const CallFacts& facts) { return facts.command || facts.tool_class == ToolClass::execute; }

bool names_exactly(const PolicyRule& rule, const CallFacts& facts) {
    return rule.tool == facts.tool_name && rule.tool.find_first_of("*?") == std::string::npos;
}

// What a path or a host of a call means is known for the tools we know. Of another tool it may be a side matter, so
// that the operator must have named it. Which words of a command are paths or hosts is a guess, good enough to refuse
// and not to allow.
bool place_says_all(const PolicyRule& rule, const CallFacts& facts) {
    if (executes(facts)) return false;
    if (names_exactly(rule, facts)) return true;
    const bool file_tool = facts.tool_class == ToolClass::read || facts.tool_class == ToolClass::edit;
    return (rule.path.empty() || file_tool) && (rule.host.empty() || facts.tool_class == ToolClass::fetch);
}

// An allow must be right about every word, every path and every host.
bool allow_fits(const PolicyRule& rule, const CallFacts& facts, const Words& words) {
    const bool tool_alone = !rule.tool.empty() && rule.command.empty() && rule.path.empty() && rule.host.empty();
    if (beyond_patterns(facts, tool_alone)) return false;
    if (executes(facts) && !words) return false;
    // Nobody knows where an odd URL leads.
    if (facts.odd_url && (facts.tool_class == ToolClass::fetch || !rule.host.empty())) return false;
    if (!rule.command.empty()) {
        // "src/*" is not meant to fit "src/../../etc".
        if (!words || !command_fits(rule.command, *words) || std::ranges::any_of(*words, climbs)) return false;
    }
    if (rule.path.empty() && rule.host.empty()) return true;
    if (!place_says_all(rule, facts)) return false;
    if (!rule.path.empty() && !every_path_fits(rule.path, facts)) return false;
    const auto host_ok = [&](const std::string& host) { return glob_fits_folded(rule.host, host); };
    return rule.host.empty() || (!facts.hosts.empty() && std::ranges::all_of(facts.hosts, host_ok));
}

// How surely a deny or an ask speaks of a call. What a command that was not read does is for people to judge.
enum class Fit { no, maybe, yes };  // in order
Fit sure(bool fits) { return fits ? Fit::yes : Fit::no; }

Fit command_fit(const PolicyRule& rule, const CallFacts& facts, const Words& words) {
    if (rule.command.empty()) return Fit::yes;
    if (!executes(facts)) return Fit::no;
    return words ? sure(command_fits(rule.command, *words)) : Fit::maybe;
}

// One path that fits is enough; an edit of which nobody knows where is believed to be there.
Fit path_fit(const PolicyRule& rule, const CallFacts& facts, const Words& words) {
    if (rule.path.empty() || some_path_fits(rule.path, facts)) return Fit::yes;
    const auto fits = [&](const std::string& word) { return word_fits(rule.path, word, facts); };
    if (executes(facts) && words && std::ranges::any_of(*words, fits)) return Fit::yes;
    // A path that could not be followed may lead there.
    if ((executes(facts) && !words) || (facts.files && !facts.files->complete)) return Fit::maybe;
    if (executes(facts)) return Fit::no;
    return sure(facts.paths.empty() && facts.tool_class == ToolClass::edit);
}

Fit host_fit(const PolicyRule& rule, const CallFacts& facts, const Words& words) {
    const auto fits = [&](const std::string& host) { return glob_fits_folded(rule.host, host); };
    if (rule.host.empty() || std::ranges::any_of(facts.hosts, fits)) return Fit::yes;
    if (std::ranges::any_of(facts.possible_hosts, fits)) return Fit::yes;
    const auto named = [&](const std::string& word) { return names_host(rule.host, word); };
    if (executes(facts)) return words ? sure(std::any_of(words->begin() + 1, words->end(), named)) : Fit::maybe;
    const bool fetches = facts.tool_class == ToolClass::fetch;
    if (facts.odd_url && (fetches || facts.tool_class == ToolClass::other)) return Fit::maybe;
    return sure(facts.hosts.empty() && fetches);
}

Fit fit(const PolicyRule& rule, const CallFacts& facts, const Words& words) {
    if (!rule.agent.empty() && !glob_fits(rule.agent, facts.agent_id)) return Fit::no;
    if (!rule.tool.empty() && !glob_fits(rule.tool, facts.tool_name)) return Fit::no;
    if (rule.effect == PolicyEffect::allow) return sure(allow_fits(rule, facts, words));
    return std::min({command_fit(rule, facts, words), path_fit(rule, facts, words), host_fit(rule, facts, words)});
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
    const auto first = [&](PolicyEffect effect, Fit least) {
        const auto rule = std::ranges::find_if(policy, [&](const PolicyRule& candidate) {
            return candidate.effect == effect && fit(candidate, facts, words) >= least;
        });
        return rule == policy.end() ? nullptr : &*rule;
    };
    if (const auto* rule = first(PolicyEffect::deny, Fit::yes)) return {PolicyEffect::deny, rule->name};
    if (const auto* rule = first(PolicyEffect::deny, Fit::maybe)) return {PolicyEffect::ask, rule->name};
    if (const auto* rule = first(PolicyEffect::ask, Fit::maybe)) return {PolicyEffect::ask, rule->name};
    if (const auto* rule = first(PolicyEffect::allow, Fit::yes)) return {PolicyEffect::allow, rule->name};
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
