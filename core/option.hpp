// SPDX-License-Identifier: Apache-2.0
// Option: one way to decide an approval. The adapter sets effect and scope; where an event comes without them, the
// table of known native words does. Options are frozen when the request is accepted: indexes in buttons point into
// them.
#pragma once

#include "core/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign {

enum class Effect { allow, deny, cancel };
enum class Scope { once, session, always };  // in order of width: the narrowest is the least
enum class Role { none, primary, secondary, destructive, cancel };

[[nodiscard]] std::string_view name(Effect effect);
[[nodiscard]] std::string_view name(Scope scope);
[[nodiscard]] std::string_view name(Role role);
[[nodiscard]] std::optional<Effect> effect_named(std::string_view text);
[[nodiscard]] std::optional<Scope> scope_named(std::string_view text);
[[nodiscard]] std::optional<Role> role_named(std::string_view text);

struct Option {
    std::string option_id;  // ours, at most option_id_bytes_max
    std::string label;      // at most option_label_chars_max, unique in the request
    std::string detail;     // redacted; says what else it changes
    Role role = Role::none;
    Effect effect = Effect::deny;
    Scope scope = Scope::once;
    bool known = true;       // false: a native word that no table knows; counts as allow/always and mints no grant
    bool exact_call = true;  // false: a persistent option that is about more than exactly this call

    friend bool operator==(const Option&, const Option&) = default;
};

struct Classification {
    Effect effect;
    Scope scope;
    bool known;
    bool exact_call = true;  // false: it changes more than the answer to exactly this call
};
// What a native decision word means. Case, '-', '_' and spaces do not matter. Unknown words count as allow/always.
[[nodiscard]] Classification classify(std::string_view native_decision);

// Whether a session or always decision is kept by us as a grant or handed to the agent as its own (I8, I14).
enum class AlwaysMode { grant, native };

struct OfferRules {
    AlwaysMode always = AlwaysMode::grant;
    bool may_grant = true;  // false: arguments not canonical or partial, own settings touched, or a script not readable
    std::string_view grant_note = {};  // Request::grant_note
};
// The options people may choose from: what allows once, what refuses, then what lasts, and each of these in the order
// the agent gave. A persistent option is left out when a grant cannot stand for it; one that a grant replaces says so
// in its label, and what the grant does not cover in its detail. Without a grant, the allow says why there is none.
[[nodiscard]] std::vector<Option> offered(const std::vector<Option>& options, OfferRules rules);

// The option that is sent when this one is chosen: itself, or under AlwaysMode::grant the once sibling of a persistent
// allow. Null if there is no such option.
[[nodiscard]] const Option* sent_for(const std::vector<Option>& options, const Option& chosen, AlwaysMode always);

// What a failure answers with: the first deny/once, else the first deny, else the first cancel; null if it offers none.
[[nodiscard]] const Option* refusal_of(const std::vector<Option>& options);

}  // namespace countersign
