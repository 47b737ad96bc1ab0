// SPDX-License-Identifier: Apache-2.0
// Policy: rules that allow, deny or ask before anybody is bothered. Deny beats ask beats allow; no rule means ask.
#pragma once

#include "core/risk.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign {

enum class PolicyEffect { allow, ask, deny };  // in order of strictness
[[nodiscard]] std::string_view name(PolicyEffect effect);
[[nodiscard]] std::optional<PolicyEffect> policy_effect_named(std::string_view text);

struct PolicyRule {
    std::string name;
    PolicyEffect effect = PolicyEffect::ask;
    std::string agent;    // empty fits every agent
    Patterns tool;        // one of them must fit
    std::string command;  // fits only a fully parsed simple command, or every part of a list joined by && or |
    std::string path;     // of an allow, every path of the call must fit; of a deny or an ask, one
    std::string host;     // likewise
    std::optional<RiskLevel> risk = std::nullopt;  // the level that was computed for the call
    Patterns risk_rule = {};                       // the name of the risk rule that said so
};

struct PolicyVerdict {
    PolicyEffect effect = PolicyEffect::ask;
    std::string rule;  // empty when no rule spoke
    friend bool operator==(const PolicyVerdict&, const PolicyVerdict&) = default;
};

// Errors in a rule's favour never allow. A command that does not parse is never allowed, and a deny with a command,
// path or host pattern asks about it. No rule allows an option that runs a program, writes or deletes
// (core/command/table.hpp). A list is allowed if each of its parts is, by any rule; one part is enough for a deny.
// A path or a host allows a call only of a tool whose class is known, or that the rule names without wildcards, and
// never a command.
[[nodiscard]] PolicyVerdict evaluate(const std::vector<PolicyRule>& policy, const CallFacts& facts,
                                     const Risk& risk = {});

// All that the rules say of one call. Made in runtimes/ from the raw input, carried in the Request.
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
// `least` is a risk from elsewhere. It replaces ours if it is higher, and can only make the policy stricter.
[[nodiscard]] Judgement judge(const CallFacts& facts, const Rules& rules, const std::optional<Risk>& least = {});

}  // namespace countersign
