// SPDX-License-Identifier: Apache-2.0
#include "security/authoriser.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace countersign::security {
namespace {

// The rights that an attempt needs.
struct Need {
    std::optional<Permission> permission;  // none: being a decider is enough
    bool assured = true;                   // whether the route's assurance is required
};
constexpr Need to_refuse{.permission = std::nullopt, .assured = false};  // a deny must never be harder than an allow

Error nobody(const std::string& principal) {
    const auto colon = principal.find(':');
    const auto kind = principal.substr(0, colon);
    const auto id = colon == std::string::npos ? std::string{} : principal.substr(colon + 1);
    // Only these are integers in the configuration. Discord's ids are digits too, and are written as text.
    const bool integer = kind == "telegram" || kind == "terminal";
    const bool digits = !id.empty() && id.find_first_not_of("0123456789") == std::string::npos;
    const auto value = integer && digits ? id : '"' + id + '"';
    return {Errc::not_authorised, "no person in the configuration has " + kind + " = " + value +
                                      "; to add them, write that under [people.NAME] and name them in a route's "
                                      "deciders"};
}

Error lacks(const Person& person, Permission permission) {
    const std::string role{name(permission)};
    return {Errc::not_authorised,
            person.name + " lacks the role \"" + role + "\"; add it to roles under [people." + person.name + "]"};
}

// An option that isn't in our table is treated as the widest allow, even if it declares less.
Need need_of(const Option& option) {
    if (option.known && option.effect != Effect::allow) return to_refuse;
    const bool persistent = !option.known || option.scope != Scope::once;
    return {.permission = persistent ? Permission::approve_always : Permission::approve};
}

Result<Need> need_of(const Attempt& attempt, const Request& request, const std::vector<Option>& offered) {
    if (request.questionnaire() != nullptr) {
        // An answer reaches the agent as the person's word, and a cancel ends its turn. Only an answer can let the
        // agent continue, so only an answer needs the assurance.
        if (std::holds_alternative<Submit>(attempt.what)) return Need{.permission = Permission::approve};
        if (std::holds_alternative<Cancel>(attempt.what))
            return Need{.permission = Permission::approve, .assured = false};
        return Error{Errc::unknown_option, "a question is answered or cancelled, it has no options"};
    }
    if (std::holds_alternative<Submit>(attempt.what)) {
        return Error{Errc::unknown_option, "an approval is decided by one of its options, it takes no answers"};
    }
    if (std::holds_alternative<Cancel>(attempt.what)) return to_refuse;
    const auto found = std::ranges::find(offered, std::get<Choose>(attempt.what).option_id, &Option::option_id);
    if (found == offered.end()) return Error{Errc::unknown_option, "the request offers no such option"};
    return need_of(*found);
}

// A persistent allow needs both roles: the second extends the first and doesn't replace it.
Result<void> check_permission(const Person& person, std::optional<Permission> permission) {
    if (!permission) return {};
    if (!person.permissions.contains(Permission::approve)) return lacks(person, Permission::approve);
    if (!person.permissions.contains(*permission)) return lacks(person, *permission);
    return {};
}

}  // namespace

// Checks the person first: a stranger learns nothing about the request, not even its options.
Result<Permit> ConfiguredAuthoriser::permit(const Attempt& attempt, const Request& request, const Route& route,
                                            const std::vector<Option>& offered,
                                            const Configuration& configuration) const {
    const Person* person = configuration.person_of(attempt.principal);
    if (person == nullptr) return nobody(attempt.principal);
    const auto deciders = deciders_of(configuration, route, request);
    if (std::ranges::find(deciders, person->name) == deciders.end()) {
        return Error{Errc::not_authorised, person->name + " is not a decider of this request"};
    }
    const auto need = need_of(attempt, request, offered);
    if (!need) return need.error();
    if (const auto held = check_permission(*person, need->permission); !held) return held.error();
    if (need->assured && attempt.assurance < route.assurance) {
        return Error{Errc::not_authorised, "this route takes an allow from \"" + std::string{name(route.assurance)} +
                                               "\" up, and this came by \"" + std::string{name(attempt.assurance)} +
                                               "\"; a deny would count"};
    }
    return Permit{person->name};
}

}  // namespace countersign::security
