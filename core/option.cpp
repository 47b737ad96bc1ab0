// SPDX-License-Identifier: Apache-2.0
#include "core/option.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace countersign {

namespace {

constexpr std::array<std::pair<Effect, std::string_view>, 3> effects{
    {{Effect::allow, "allow"}, {Effect::deny, "deny"}, {Effect::cancel, "cancel"}}};
constexpr std::array<std::pair<Scope, std::string_view>, 3> scopes{
    {{Scope::once, "once"}, {Scope::session, "session"}, {Scope::always, "always"}}};
constexpr std::array<std::pair<Role, std::string_view>, 5> roles{{{Role::none, "none"},
                                                                  {Role::primary, "primary"},
                                                                  {Role::secondary, "secondary"},
                                                                  {Role::destructive, "destructive"},
                                                                  {Role::cancel, "cancel"}}};

template <class Table, class Enum> std::string_view text_in(const Table& table, Enum value) {
    const auto* found = std::ranges::find(table, value, &Table::value_type::first);
    return found == table.end() ? std::string_view{"unknown"} : found->second;
}

template <class Table>
auto value_in(const Table& table, std::string_view text) -> std::optional<typename Table::value_type::first_type> {
    const auto* found = std::ranges::find(table, text, &Table::value_type::second);
    if (found == table.end()) return std::nullopt;
    return found->first;
}

struct Word {
    std::string_view text;  // lower case, without '-', '_' and spaces
    Effect effect;
    Scope scope;
    bool exact_call = true;
};

// The native words of Claude, Codex (including older ones), ACP and OpenCode, and of other approval clients with
// similar vocabularies.
constexpr std::array<Word, 39> vocabulary{{
    {"allow", Effect::allow, Scope::once},
    {"allowonce", Effect::allow, Scope::once},
    {"accept", Effect::allow, Scope::once},
    {"acceptonce", Effect::allow, Scope::once},
    {"approve", Effect::allow, Scope::once},
    {"approved", Effect::allow, Scope::once},
    {"approveonce", Effect::allow, Scope::once},
    {"once", Effect::allow, Scope::once},
    {"proceedonce", Effect::allow, Scope::once},
    {"acceptforsession", Effect::allow, Scope::session},
    {"approvedforsession", Effect::allow, Scope::session},
    {"approvesession", Effect::allow, Scope::session},
    {"allowsession", Effect::allow, Scope::session},
    {"allowforsession", Effect::allow, Scope::session},
    {"session", Effect::allow, Scope::session},
    {"allowalways", Effect::allow, Scope::always},
    {"alwaysallow", Effect::allow, Scope::always},
    {"acceptalways", Effect::allow, Scope::always},
    {"approvealways", Effect::allow, Scope::always},
    {"always", Effect::allow, Scope::always},
    // These teach the agent a rule that covers more than the call on the card.
    {"acceptwithexecpolicyamendment", Effect::allow, Scope::always, false},
    {"approvedexecpolicyamendment", Effect::allow, Scope::always, false},
    {"approvedmcppolicyamendment", Effect::allow, Scope::always, false},
    {"applynetworkpolicyamendment", Effect::allow, Scope::always, false},
    {"networkpolicyamendment", Effect::allow, Scope::always, false},
    {"deny", Effect::deny, Scope::once},
    {"denied", Effect::deny, Scope::once},
    {"denyonce", Effect::deny, Scope::once},
    {"decline", Effect::deny, Scope::once},
    {"reject", Effect::deny, Scope::once},
    {"rejected", Effect::deny, Scope::once},
    {"rejectonce", Effect::deny, Scope::once},
    {"denyalways", Effect::deny, Scope::always},
    {"alwaysdeny", Effect::deny, Scope::always},
    {"rejectalways", Effect::deny, Scope::always},
    {"abort", Effect::cancel, Scope::once},
    {"cancel", Effect::cancel, Scope::once},
    {"cancelled", Effect::cancel, Scope::once},
    {"canceled", Effect::cancel, Scope::once},
}};

std::string folded(std::string_view native_decision) {
    std::string word;
    for (const char c : native_decision) {
        if (c == '-' || c == '_' || c == ' ') continue;
        word += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return word;
}

bool persistent(const Option& option) { return option.scope != Scope::once; }

const Option* find_once(const std::vector<Option>& options, Effect effect) {
    const auto found = std::ranges::find_if(options, [effect](const Option& option) {
        return option.known && option.effect == effect && !persistent(option);
    });
    return found == options.end() ? nullptr : &*found;
}

bool label_taken(const std::vector<Option>& options, std::string_view label) {
    return std::ranges::find(options, label, &Option::label) != options.end();
}

// The option as shown when a grant for exactly this call replaces it. Its own detail is dropped, because the agent's
// lasting change that it describes won't happen.
Option as_grant(Option option, std::string_view note) {
    option.label = option.scope == Scope::session ? "This call, session" : "This call, always";
    option.detail = note;
    option.grants = true;
    return option;
}

// If an allow-once option can't be accompanied by a grant, its detail says why.
Option as_it_is(Option option, OfferRules rules) {
    const bool once = option.known && option.effect == Effect::allow && !persistent(option);
    if (!once || rules.may_grant || rules.grant_note.empty()) return option;
    option.detail = std::string{rules.grant_note} + (option.detail.empty() ? "" : "; ") + option.detail;
    return option;
}

bool shown_as_it_is(const Option& option, const std::vector<Option>& options, OfferRules rules) {
    if (!option.known) return rules.may_grant;  // it may be a persistent one
    if (!persistent(option) || option.effect == Effect::cancel) return true;
    if (rules.always == AlwaysMode::native && rules.may_grant) return true;
    // A lasting deny is dropped in favour of the plain one, but kept if it is the only deny.
    return option.effect == Effect::deny && find_once(options, Effect::deny) == nullptr;
}

bool shown_as_grant(const Option& option, const std::vector<Option>& options, OfferRules rules) {
    return rules.always == AlwaysMode::grant && rules.may_grant && option.known && option.exact_call &&
           option.effect == Effect::allow && persistent(option) && find_once(options, Effect::allow) != nullptr;
}

// The order is the same everywhere: allow once, refusals, then persistent options.
constexpr int rank_max = 4;
int rank(const Option& option) {
    if (!option.known) return rank_max;
    if (option.effect == Effect::deny) return 1;
    if (option.effect == Effect::cancel) return 2;
    return persistent(option) ? 3 : 0;
}

}  // namespace

std::string_view name(Effect effect) { return text_in(effects, effect); }
std::string_view name(Scope scope) { return text_in(scopes, scope); }
std::string_view name(Role role) { return text_in(roles, role); }
std::optional<Effect> effect_named(std::string_view text) { return value_in(effects, text); }
std::optional<Scope> scope_named(std::string_view text) { return value_in(scopes, text); }
std::optional<Role> role_named(std::string_view text) { return value_in(roles, text); }

Classification classify(std::string_view native_decision) {
    const auto word = folded(native_decision);
    const auto* found = std::ranges::find(vocabulary, word, &Word::text);
    if (found == vocabulary.end()) return {.effect = Effect::allow, .scope = Scope::always, .known = false};
    return {.effect = found->effect, .scope = found->scope, .known = true, .exact_call = found->exact_call};
}

std::vector<Option> offered(const std::vector<Option>& options, OfferRules rules) {
    std::vector<Option> shown;
    for (const auto& option : options) {
        if (shown_as_it_is(option, options, rules)) {
            shown.push_back(as_it_is(option, rules));
        } else if (shown_as_grant(option, options, rules)) {
            // Two persistent options may lead to the same grant; the first one represents both. A label that the agent
            // uses itself isn't reused: people couldn't tell the two apart.
            auto grant = as_grant(option, rules.grant_note);
            if (!label_taken(options, grant.label) && !label_taken(shown, grant.label))
                shown.push_back(std::move(grant));
        }
    }
    std::vector<Option> ordered;
    ordered.reserve(shown.size());
    for (int now = 0; now <= rank_max; ++now) {
        std::ranges::copy_if(shown, std::back_inserter(ordered), [now](const Option& one) { return rank(one) == now; });
    }
    return ordered;
}

const Option* sent_for(const std::vector<Option>& options, const Option& chosen, AlwaysMode always) {
    const auto found = std::ranges::find(options, chosen.option_id, &Option::option_id);
    if (found == options.end()) return nullptr;
    const bool replaced = found->known && found->effect == Effect::allow && persistent(*found);
    if (replaced && always == AlwaysMode::grant) return find_once(options, Effect::allow);
    return &*found;
}

const Option* refusal_of(const std::vector<Option>& options) {
    if (const auto* once = find_once(options, Effect::deny)) return once;
    for (const auto effect : {Effect::deny, Effect::cancel}) {
        const auto found = std::ranges::find_if(
            options, [effect](const Option& option) { return option.known && option.effect == effect; });
        if (found != options.end()) return &*found;
    }
    return nullptr;
}

}  // namespace countersign
