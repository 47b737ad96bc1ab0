// SPDX-License-Identifier: Apache-2.0
#include "config/route_rules.hpp"

#include "core/channel_kind.hpp"
#include "core/glob.hpp"

#include <algorithm>

namespace countersign::config {

namespace {

bool fits_all(std::string_view pattern) {
    return std::ranges::all_of(pattern, [](char c) { return c == '*'; });
}

// Whether the wide pattern covers the narrow one, by matching the narrow one as text: a `*` in the wide one matches a
// `*` in the narrow one and all that this stands for. A `?` could match a `*`, which would be wrong, so `?` is only
// allowed if the narrow pattern has no `*`.
bool covers(std::string_view wide, std::string_view narrow) {
    if (fits_all(wide) || wide == narrow) return true;
    if (narrow.empty()) return false;
    const bool exact = wide.find('?') == std::string_view::npos || narrow.find('*') == std::string_view::npos;
    return exact && glob_fits(wide, narrow);
}

const ChannelKind* kind_of(const Configuration& configuration, const Step& step) {
    const auto channel = configuration.channels.find(step.channel);
    return channel == configuration.channels.end() ? nullptr : channel->second.facts;
}

bool is_sent(const Configuration& configuration, const Step& step, const Person& person) {
    const auto* kind = kind_of(configuration, step);
    return kind != nullptr && has_principal_of(person, kind->principal.name) &&
           (step.people.empty() || std::ranges::find(step.people, person.name) != step.people.end());
}

// Why this decider cannot allow; empty if they can.
std::string obstacle(const Configuration& configuration, const Route& route, const Person& person) {
    if (!person.permissions.contains(Permission::approve)) {
        return person.name + " lacks the role: write roles = [\"approve\"] in [people." + person.name + "]";
    }
    bool sent = false;
    for (const auto& step : route.steps) {
        if (!is_sent(configuration, step, person)) continue;
        if (kind_of(configuration, step)->assurance >= route.assurance) return {};
        sent = true;
    }
    if (sent) {
        return person.name + " is only asked where less than assurance = \"" + std::string{name(route.assurance)} +
               "\" can be proved";
    }
    return person.name + " isn't reached by any step: give [people." + person.name +
           "] an id of one of the route's channels";
}

// At the hub's own terminal there is only one person: the user who runs the hub.
bool only_at_the_terminal(const Configuration& configuration, const Route& route, const Person& person) {
    return std::ranges::none_of(route.steps, [&](const Step& step) {
        return is_sent(configuration, step, person) && !kind_of(configuration, step)->is_own_terminal &&
               kind_of(configuration, step)->assurance >= route.assurance;
    });
}

}  // namespace

bool has_principal_of(const Person& person, std::string_view principal_kind) {
    return std::ranges::any_of(person.principals, [&](const std::string& principal) {
        return principal.size() > principal_kind.size() && principal.starts_with(principal_kind) &&
               principal[principal_kind.size()] == ':';
    });
}

bool covers(const std::optional<RouteMatch>& earlier, const std::optional<RouteMatch>& later) {
    if (!earlier) return true;
    const auto narrow = later.value_or(RouteMatch{});
    return covers(earlier->agent, narrow.agent) && covers(earlier->runtime, narrow.runtime) &&
           covers(earlier->tool, narrow.tool) && covers(earlier->session, narrow.session) &&
           (!earlier->risk || earlier->risk == narrow.risk);
}

bool has_command_group(const Configuration& configuration, const Route& route) {
    return std::ranges::any_of(route.deciders, [&](const std::string& decider) {
        return decider.starts_with('@') && configuration.group_commands.contains(decider.substr(1));
    });
}

std::optional<Shortage> shortage_of(const Configuration& configuration, const Route& route) {
    std::size_t able = 0;
    bool terminal_taken = false;
    std::string first_obstacle;
    for (const auto& decider : deciders_of(configuration, route)) {
        const auto& person = configuration.people.at(decider);
        auto found = obstacle(configuration, route, person);
        if (found.empty() && only_at_the_terminal(configuration, route, person)) {
            if (terminal_taken) found = "at one terminal sits one person: ask on another channel too";
            terminal_taken = true;
        }
        if (found.empty() && ++able >= route.required) return std::nullopt;
        if (first_obstacle.empty()) first_obstacle = std::move(found);
    }
    const auto have = able == 0 ? std::string{"none"} : "only " + std::to_string(able);
    return Shortage{.what = std::to_string(route.required) + " must allow, and " + have + " of its deciders can",
                    .instead = (first_obstacle.empty() ? "name more deciders" : first_obstacle) +
                               "; or write ends = \"deny\" if no one should be able to allow"};
}

std::optional<std::string> stranger_at_the_terminal(const Configuration& configuration, unsigned uid) {
    const auto* terminal = own_terminal(configuration);
    if (terminal == nullptr) return std::nullopt;
    const std::string key{terminal->principal.name};
    const auto principal = key + ":" + std::to_string(uid);
    const bool known = std::ranges::any_of(configuration.people, [&](const auto& person) {
        return std::ranges::find(person.second.principals, principal) != person.second.principals.end();
    });
    if (known) return std::nullopt;
    return "nobody here is the user who runs this (uid " + std::to_string(uid) +
           "), so nobody can decide at its terminal: write " + key + " = " + std::to_string(uid) + " for a person";
}

}  // namespace countersign::config
