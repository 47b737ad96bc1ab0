// SPDX-License-Identifier: Apache-2.0
#include "core/configuration.hpp"

#include "core/channel_kind.hpp"

#include "core/glob.hpp"

#include <algorithm>

namespace countersign {
namespace {

bool pattern_fits(const std::string& pattern, std::string_view text) {
    return pattern.empty() || glob_fits(pattern, text);
}

bool fits(const RouteMatch& match, const Request& request) {
    return pattern_fits(match.agent, request.agent_id) && pattern_fits(match.runtime, request.runtime) &&
           pattern_fits(match.tool, tool_name_of(request)) && pattern_fits(match.session, request.session_key) &&
           (!match.risk || *match.risk == request.judgement.risk.level);
}

bool has_principal(const Person& person, const std::string& principal) {
    return std::ranges::find(person.principals, principal) != person.principals.end();
}

bool has_any_principal(const Person& person, const std::vector<std::string>& principals) {
    return std::ranges::any_of(principals, [&](const auto& principal) { return has_principal(person, principal); });
}

// The requester may be given as a person's name or as one of that person's principals.
bool is_requester(const Person& person, const Request& request) {
    return !request.requester.empty() && (person.name == request.requester || has_principal(person, request.requester));
}

}  // namespace

std::string_view name(Permission permission) {
    switch (permission) {
    case Permission::approve:
        return "approve";
    case Permission::approve_always:
        return "approve-always";
    }
    return "approve";
}

std::optional<Permission> permission_named(std::string_view text) {
    for (const auto permission : {Permission::approve, Permission::approve_always}) {
        if (text == name(permission)) return permission;
    }
    return std::nullopt;
}

// A principal that two people claim belongs to neither: the log couldn't say which of them it was.
const Person* Configuration::person_of(std::string_view principal) const {
    if (principal.empty()) return nullptr;
    const Person* found = nullptr;
    for (const auto& [key, person] : people) {
        if (std::ranges::find(person.principals, principal) == person.principals.end()) continue;
        if (found != nullptr) return nullptr;
        found = &person;
    }
    return found;
}

const Route* Configuration::route_named(std::string_view name) const {
    const auto found = std::ranges::find(routes, name, &Route::name);
    return found == routes.end() ? nullptr : &*found;
}

AlwaysMode Configuration::always_of(const std::string& runtime) const {
    const auto found = always.find(runtime);
    return found == always.end() ? AlwaysMode::grant : found->second;
}

const ChannelKind* own_terminal(const Configuration& configuration) {
    for (const auto& [name, channel] : configuration.channels) {
        if (channel.facts != nullptr && channel.facts->is_own_terminal) return channel.facts;
    }
    return nullptr;
}

const Route* route_for(const Configuration& configuration, const Request& request) {
    const auto found = std::ranges::find_if(
        configuration.routes, [&](const Route& route) { return !route.match || fits(*route.match, request); });
    return found == configuration.routes.end() ? nullptr : &*found;
}

std::string language_for(const Configuration& configuration, const Route* route, std::string_view principal) {
    const auto* person = principal.empty() ? nullptr : configuration.person_of(principal);
    if (person != nullptr && !person->language.empty()) return person->language;
    return route == nullptr ? "en" : route->language;
}

// Names of unknown people and of undefined groups are ignored.
std::vector<std::string> deciders_of(const Configuration& configuration, const Route& route) {
    std::set<std::string> names;
    const auto add = [&](const std::string& name) {
        if (configuration.people.contains(name)) names.insert(name);
    };
    for (const auto& decider : route.deciders) {
        if (!decider.starts_with('@')) {
            add(decider);
            continue;
        }
        const auto group = configuration.groups.find(decider.substr(1));
        if (group != configuration.groups.end()) std::ranges::for_each(group->second, add);
    }
    return {names.begin(), names.end()};
}

std::vector<std::string> deciders_of(const Configuration& configuration, const Route& route, const Request& request) {
    auto names = deciders_of(configuration, route);
    std::erase_if(names, [&](const std::string& name) {
        const Person& person = configuration.people.at(name);
        if (request.authorized_senders && !has_any_principal(person, *request.authorized_senders)) return true;
        return route.not_requester && is_requester(person, request);
    });
    return names;
}

std::vector<std::string> principals_of(const Configuration& configuration, const Step& step) {
    std::vector<std::string> principals;
    const auto channel = configuration.channels.find(step.channel);
    if (channel == configuration.channels.end()) return principals;
    const auto prefix = channel->second.kind + ":";
    for (const auto& name : step.people) {
        const auto person = configuration.people.find(name);
        if (person == configuration.people.end()) continue;
        for (const auto& principal : person->second.principals) {
            if (principal.starts_with(prefix)) principals.push_back(principal);
        }
    }
    return principals;
}

}  // namespace countersign
