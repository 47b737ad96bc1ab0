// SPDX-License-Identifier: Apache-2.0
// Policy: rules that allow, deny or ask before any person is involved. Deny beats ask, ask beats allow; no rule means
// ask.
#pragma once

#include "core/risk.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign {

enum class PolicyEffect { allow, ask, deny };  // ordered by strictness
[[nodiscard]] std::string_view name(PolicyEffect effect);
[[nodiscard]] std::optional<PolicyEffect> policy_effect_named(std::string_view text);

struct PolicyRule {
    std::string name;
    PolicyEffect effect = PolicyEffect::ask;
    std::string agent;    // empty matches every agent
    Patterns tool;        // one of them must match
    std::string command;  // matches only a fully parsed simple command, or every part of a list joined by && or |
    std::string path;     // in an allow rule every path of the call must match; in a deny or ask rule one is enough
    std::string host;     // the same for hosts
    std::optional<RiskLevel> risk = std::nullopt;  // the level computed for the call
    Patterns risk_rule = {};                       // the name of the risk rule that set the level
};

struct PolicyVerdict {
    PolicyEffect effect = PolicyEffect::ask;
    std::string rule;  // empty if no rule matched
    friend bool operator==(const PolicyVerdict&, const PolicyVerdict&) = default;
};

// If in doubt, never allow. A command that can't be parsed is never allowed; a deny rule with a command, path or host
// pattern then asks about it. No rule allows an option that runs a program, writes or deletes (core/command/table.hpp).
// A list is allowed if each of its parts is allowed by some rule; one denied part denies the list. A path or host
// pattern can allow a call only if the tool's class is known or the rule names the tool without wildcards, and it never
// allows a command.
[[nodiscard]] PolicyVerdict evaluate(const std::vector<PolicyRule>& policy, const CallFacts& facts,
                                     const Risk& risk = {});

// What the rules say about one call. Computed in runtimes/ from the raw input and carried in the Request.
struct Rules {
    std::vector<RiskRule> risk;
    std::vector<PolicyRule> policy;
};
struct Judgement {
    Risk risk;
    PolicyVerdict policy;
    bool may_grant = false;
    friend bool operator==(const Judgement&, const Judgement&) = default;
};
// `least` is a risk from another source, e.g. the agent. It replaces ours if it is higher, and can only make the policy
// stricter.
[[nodiscard]] Judgement judge(const CallFacts& facts, const Rules& rules, const std::optional<Risk>& least = {});

}  // namespace countersign
