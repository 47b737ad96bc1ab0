// SPDX-License-Identifier: Apache-2.0
#include "audit/review/life.hpp"

namespace countersign::audit::review {

std::string_view name(Decider decider) {
    switch (decider) {
    case Decider::nobody:
        return "nobody";
    case Decider::person:
        return "person";
    case Decider::policy:
        return "policy";
    case Decider::grant:
        return "grant";
    case Decider::demo:
        return "demo";
    }
    return "nobody";
}

Decider decider_of(std::string_view decided_by) {
    if (decided_by.empty()) return Decider::nobody;
    if (decided_by.starts_with("policy:")) return Decider::policy;
    if (decided_by.starts_with("grant:")) return Decider::grant;
    // Configured names of people contain no colon.
    return decided_by == "demo:unattended" ? Decider::demo : Decider::person;
}

std::string_view name(Forward forward) {
    switch (forward) {
    case Forward::no:
        return "no";
    case Forward::yes:
        return "yes";
    case Forward::failed:
        return "failed";
    case Forward::unknown:
        return "unknown";
    }
    return "no";
}

std::optional<Outcome> settled_as(const Life& life) {
    if (life.settled == 0) return std::nullopt;
    return static_cast<Outcome>(life.settled - 1);
}

std::optional<Outcome> outcome_of(const Life& life) {
    return life.forward == Forward::unknown ? Outcome::indeterminate : settled_as(life);
}

}  // namespace countersign::audit::review
