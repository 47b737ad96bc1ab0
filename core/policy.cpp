// SPDX-License-Identifier: Apache-2.0
#include "core/policy.hpp"

#include "core/call_command.hpp"
#include "core/call_paths.hpp"
#include "core/command/danger.hpp"
#include "core/command/pattern.hpp"
#include "core/command/table.hpp"
#include "core/glob.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace countersign {

namespace {

constexpr std::array<std::pair<PolicyEffect, std::string_view>, 3> effects{
    {{PolicyEffect::allow, "allow"}, {PolicyEffect::ask, "ask"}, {PolicyEffect::deny, "deny"}}};

// The parts of a command line; nullopt if it can't be parsed or there is no command.
using Parts = std::optional<std::vector<CommandWords>>;

// The host in the text, if it is an address, with or without a scheme, a user, a port and a path.
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

// A word may be a host name in another script. Rules write such hosts as xn--…, and we don't convert the word here.
bool may_name_host(std::string_view pattern, std::string_view word) {
    const auto outside = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
    return pattern.find("xn--") != pattern.npos && std::ranges::any_of(word, outside);
}

// A word of a command may be a host itself, the value of an option, or glued to a short option.
bool names_host(std::string_view pattern, std::string_view word) {
    const auto fits = [pattern](std::string_view text) { return glob_fits_folded(pattern, host_in(text)); };
    const auto equals = word.find('=');
    return fits(word) || (equals != word.npos && fits(word.substr(equals + 1))) ||
           std::ranges::any_of(glued_values(word), fits);
}

bool executes(const CallFacts& facts) { return facts.command || facts.tool_class == ToolClass::execute; }

// For known tools we know what a path or host means. For another tool it may be unimportant, so the operator must have
// named the tool. Which words of a command are paths or hosts is a guess: good enough to refuse, but not to allow.
bool place_says_all(const PolicyRule& rule, const CallFacts& facts) {
    if (executes(facts)) return false;
    if (rule.tool.names(facts.tool_name)) return true;
    const bool file_tool = facts.tool_class == ToolClass::read || facts.tool_class == ToolClass::edit;
    return (rule.path.empty() || file_tool) && (rule.host.empty() || facts.tool_class == ToolClass::fetch);
}

// Programs that read or change everything below a directory: always, or if told to.
constexpr std::string_view walkers = "rg ag ack find fd fdfind tree du tar rsync cp";
constexpr std::string_view walkers_if_told = "grep egrep fgrep zgrep ls scp zip diff rm chmod chown chgrp";

bool tells_to_walk(std::string_view word, std::string_view letters) {
    if (word == "recurse" || word.starts_with("--rec") || word.starts_with("--der") || word.starts_with("--dir")) {
        return true;
    }
    return word.starts_with('-') && !word.starts_with("--") && word.find_first_of(letters) != word.npos;
}

// The directories that the command walks recursively.
std::vector<std::string_view> walked_directories(const CommandWords& words) {
    const auto name = known_name(program_name(words.front()));
    const auto tells = [letters = name == "ls" ? "R" : "rR"](const std::string& word) {
        return tells_to_walk(word, letters);
    };
    const bool told = std::any_of(words.begin() + 1, words.end(), tells);
    if (!lists_word(walkers, name) && !(told && lists_word(walkers_if_told, name))) return {};
    std::vector<std::string_view> walked;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (!word.starts_with('-')) walked.push_back(word);
        if (const auto equals = word.find('='); equals != word.npos) walked.push_back(word.substr(equals + 1));
    }
    if (walked.size() < 2) walked.push_back(".");  // in `grep x`, the x is the search text
    const auto is_path = [](std::string_view value) { return value.find_first_of("/.~") == 0; };
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
        std::ranges::copy_if(glued_values(*word), std::back_inserter(walked), is_path);  // tar -xC/etc
    }
    return walked;
}

bool walks(const CommandWords& words, auto&& test) { return std::ranges::any_of(walked_directories(words), test); }

// An allow must be right about every word, path and host. `words` is one part of the command.
bool allow_fits(const PolicyRule& rule, const CallFacts& facts, const CommandWords* words) {
    const bool tool_alone = !rule.tool.empty() && rule.command.empty() && rule.path.empty() && rule.host.empty();
    if (beyond_patterns(facts, tool_alone)) return false;
    if (words == nullptr && (executes(facts) || !rule.command.empty())) return false;
    // We can't know where an ambiguous URL leads.
    if (facts.odd_url && (facts.tool_class == ToolClass::fetch || !rule.host.empty())) return false;
    if (words != nullptr && !command_is_allowed(rule.command, *words, facts)) return false;
    // Home directories contain keys and passwords.
    const auto bears_secrets = [&](std::string_view directory) { return holds_a_home(directory, facts); };
    if (words != nullptr && walks(*words, bears_secrets)) return false;
    if (rule.path.empty() && rule.host.empty()) return true;
    if (!place_says_all(rule, facts)) return false;
    if (!rule.path.empty() && !every_path_fits(rule.path, facts)) return false;
    const auto host_ok = [&](const std::string& host) { return glob_fits_folded(rule.host, host); };
    return rule.host.empty() || (!facts.hosts.empty() && std::ranges::all_of(facts.hosts, host_ok));
}

bool any_word(const std::vector<CommandWords>& parts, auto&& test) {
    return std::ranges::any_of(parts, [&](const CommandWords& words) { return std::ranges::any_of(words, test); });
}

bool any_argument(const std::vector<CommandWords>& parts, auto&& test) {
    return std::ranges::any_of(
        parts, [&](const CommandWords& words) { return std::any_of(words.begin() + 1, words.end(), test); });
}

// Wildcards may expand to any words, but never change the program.
Fit unread_command_fit(const PolicyRule& rule, const CallFacts& facts) {
    const auto parts = commands_with_wildcards(facts);
    if (!parts) return Fit::maybe;
    auto best = Fit::no;
    for (const auto& words : *parts) {
        const CommandWords program{words.front()};
        const auto name = pattern_words(rule.command, 1).front();
        best = std::max({best, command_may_fit(rule.command, words), command_may_fit(name, program)});
    }
    return best == Fit::no ? best : Fit::maybe;
}

// If a command can't be parsed, people must judge it.
Fit command_fit(const PolicyRule& rule, const CallFacts& facts, const Parts& parts) {
    if (rule.command.empty()) return Fit::yes;
    if (!executes(facts)) return Fit::no;
    if (!parts) return unread_command_fit(rule, facts);
    auto best = Fit::no;
    for (const auto& words : *parts) best = std::max(best, command_may_fit(rule.command, words));
    return best;
}

// One matching path is enough. An edit without a known path is assumed to match.
Fit path_fit(const PolicyRule& rule, const CallFacts& facts, const Parts& parts) {
    if (rule.path.empty() || some_path_fits(rule.path, facts)) return Fit::yes;
    const auto fits = [&](const std::string& word) {
        const auto text_fits = [&](std::string_view text) { return word_fits(rule.path, text, facts); };
        return text_fits(word) || std::ranges::any_of(path_texts(word), text_fits);
    };
    if (executes(facts) && parts && any_word(*parts, fits)) return Fit::yes;
    const auto reaches = [&](std::string_view directory) { return may_walk_into(rule.path, directory, facts); };
    const auto walks_there = [&](const CommandWords& words) { return walks(words, reaches); };
    if (executes(facts) && parts && std::ranges::any_of(*parts, walks_there)) return Fit::maybe;
    // A path that couldn't be resolved may lead there.
    if ((executes(facts) && !parts) || (facts.files && !facts.files->complete)) return Fit::maybe;
    if (executes(facts)) return Fit::no;
    return sure(facts.paths.empty() && facts.tool_class == ToolClass::edit);
}

Fit host_fit(const PolicyRule& rule, const CallFacts& facts, const Parts& parts) {
    const auto fits = [&](const std::string& host) { return glob_fits_folded(rule.host, host); };
    if (rule.host.empty() || std::ranges::any_of(facts.hosts, fits)) return Fit::yes;
    if (std::ranges::any_of(facts.possible_hosts, fits)) return Fit::yes;
    const auto named = [&](const std::string& word) { return names_host(rule.host, word); };
    const auto perhaps = [&](const std::string& word) { return may_name_host(rule.host, word); };
    if (executes(facts)) {
        if (!parts || (!any_argument(*parts, named) && any_argument(*parts, perhaps))) return Fit::maybe;
        return sure(any_argument(*parts, named));
    }
    const bool fetches = facts.tool_class == ToolClass::fetch;
    if (facts.odd_url && (fetches || facts.tool_class == ToolClass::other)) return Fit::maybe;
    return sure(facts.hosts.empty() && fetches);
}

bool speaks_of(const PolicyRule& rule, const CallFacts& facts, const Risk& risk) {
    if (!rule.agent.empty() && !glob_fits(rule.agent, facts.agent_id)) return false;
    if (rule.risk && *rule.risk != risk.level) return false;
    return rule.tool.fits(facts.tool_name) && rule.risk_rule.fits(risk.rule);
}

// For deny and ask rules.
Fit fit(const PolicyRule& rule, const CallFacts& facts, const Parts& parts) {
    return std::min({command_fit(rule, facts, parts), path_fit(rule, facts, parts), host_fit(rule, facts, parts)});
}

// The first rule that allows each part; nullopt if a part has none.
std::optional<PolicyVerdict> allowed(const std::vector<const PolicyRule*>& policy, const CallFacts& facts,
                                     const Parts& parts) {
    std::vector<std::string_view> names;
    const auto add = [&](const CommandWords* words) {
        const auto rule = std::ranges::find_if(policy, [&](const PolicyRule* candidate) {
            return candidate->effect == PolicyEffect::allow && allow_fits(*candidate, facts, words);
        });
        if (rule == policy.end()) return false;
        if (std::ranges::find(names, (*rule)->name) == names.end()) names.push_back((*rule)->name);
        return true;
    };
    if (!parts && !add(nullptr)) return std::nullopt;
    if (parts && !std::ranges::all_of(*parts, [&](const CommandWords& words) { return add(&words); })) {
        return std::nullopt;
    }
    PolicyVerdict verdict{PolicyEffect::allow, ""};
    for (const auto name : names) verdict.rule.append(verdict.rule.empty() ? "" : ", ").append(name);
    return verdict;
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

PolicyVerdict evaluate(const std::vector<PolicyRule>& policy, const CallFacts& facts, const Risk& risk) {
    const auto parts = parsed_commands(facts);
    std::vector<const PolicyRule*> speaking;
    for (const auto& rule : policy) {
        if (speaks_of(rule, facts, risk)) speaking.push_back(&rule);
    }
    const auto first = [&](PolicyEffect effect, Fit least) {
        const auto rule = std::ranges::find_if(speaking, [&](const PolicyRule* candidate) {
            return candidate->effect == effect && fit(*candidate, facts, parts) >= least;
        });
        return rule == speaking.end() ? nullptr : *rule;
    };
    if (const auto* rule = first(PolicyEffect::deny, Fit::yes)) return {PolicyEffect::deny, rule->name};
    if (const auto* rule = first(PolicyEffect::deny, Fit::maybe)) return {PolicyEffect::ask, rule->name};
    if (const auto* rule = first(PolicyEffect::ask, Fit::maybe)) return {PolicyEffect::ask, rule->name};
    return allowed(speaking, facts, parts).value_or(PolicyVerdict{});
}

Judgement judge(const CallFacts& facts, const Rules& rules, const std::optional<Risk>& least) {
    Judgement judgement{.risk = assess(facts, rules.risk), .policy = {}, .may_grant = true};
    judgement.policy = evaluate(rules.policy, facts, judgement.risk);
    if (least && least->level > judgement.risk.level) {
        judgement.risk = *least;
        // Use the stricter of both: an agent that raises its own risk must not escape a rule for the lower one.
        auto raised = evaluate(rules.policy, facts, judgement.risk);
        if (raised.effect > judgement.policy.effect) judgement.policy = std::move(raised);
    }
    if (!touches_own_settings(facts)) return judgement;
    judgement.may_grant = false;
    if (judgement.policy.effect != PolicyEffect::deny) judgement.policy = {PolicyEffect::ask, "own settings"};
    return judgement;
}

}  // namespace countersign
