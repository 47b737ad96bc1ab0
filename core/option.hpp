// SPDX-License-Identifier: Apache-2.0
// Option: one way to decide an approval. The adapter sets effect and scope; if an event lacks them, a table of known
// native words supplies them. Options are frozen when the request is accepted, because buttons refer to them by index.
#pragma once

#include "core/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign {

enum class Effect { allow, deny, cancel };
enum class Scope { once, session, always };  // ordered from narrow to wide
enum class Role { none, primary, secondary, destructive, cancel };

[[nodiscard]] std::string_view name(Effect effect);
[[nodiscard]] std::string_view name(Scope scope);
[[nodiscard]] std::string_view name(Role role);
[[nodiscard]] std::optional<Effect> effect_named(std::string_view text);
[[nodiscard]] std::optional<Scope> scope_named(std::string_view text);
[[nodiscard]] std::optional<Role> role_named(std::string_view text);

struct Option {
    std::string option_id;  // our id, at most option_id_bytes_max
    std::string label;      // at most option_label_chars_max, unique in the request
    std::string detail;     // redacted; says what else the option changes
    Role role = Role::none;
    Effect effect = Effect::deny;
    Scope scope = Scope::once;
    bool known = true;       // false: a native word that isn't in our table; treated as allow/always and mints no grant
    bool exact_call = true;  // false: a persistent option that covers more than exactly this call
    bool grants = false;     // a grant for exactly this call takes the place of the agent's persistent option

    friend bool operator==(const Option&, const Option&) = default;
};

struct Classification {
    Effect effect;
    Scope scope;
    bool known;
    bool exact_call = true;  // false: it changes more than the answer to exactly this call
};
// The meaning of a native decision word. Ignores case, '-', '_' and spaces. Unknown words are treated as allow/always.
[[nodiscard]] Classification classify(std::string_view native_decision);

// Whether we store a session or always decision as a grant, or pass the agent's own option on to it (I8, I14).
enum class AlwaysMode { grant, native };

struct OfferRules {
    AlwaysMode always = AlwaysMode::grant;
    bool may_grant = true;  // false: arguments not canonical or partial, own settings touched, or a script not readable
    std::string_view grant_note = {};  // Request::grant_note
};
// The options people may choose from: first those that allow once, then refusals, then persistent ones, each group in
// the agent's order. A persistent option is left out if a grant can't replace it. One that a grant replaces says so in
// its label, and its detail says what the grant doesn't cover. If no grant is possible, the detail of the plain allow
// says why.
[[nodiscard]] std::vector<Option> offered(const std::vector<Option>& options, OfferRules rules);

// The option to send when this one is chosen: the option itself, or under AlwaysMode::grant the `once` option in place
// of a persistent allow. Null if there is no such option.
[[nodiscard]] const Option* sent_for(const std::vector<Option>& options, const Option& chosen, AlwaysMode always);

// The answer when something fails: the first deny/once, else the first deny, else the first cancel. Null if none is
// offered.
[[nodiscard]] const Option* refusal_of(const std::vector<Option>& options);

}  // namespace countersign
