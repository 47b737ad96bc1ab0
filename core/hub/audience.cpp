// SPDX-License-Identifier: Apache-2.0
#include "core/hub/audience.hpp"

#include "core/limits.hpp"

namespace countersign {

Audience audience_of(const Configuration& configuration, const std::string& route, const Request& request,
                     const std::string& channel, const Recipient& to) {
    const auto* in_force = configuration.route_named(route);
    Audience audience{.language = language_for(configuration, in_force, to.principal)};
    if (!to.principal.empty() || in_force == nullptr || !in_force->mention) return audience;
    for (const auto& person : deciders_of(configuration, *in_force, request)) {
        const auto principals = principals_of(configuration, {.channel = channel, .chat = {}, .people = {person}});
        if (principals.empty()) continue;
        if (audience.mentions.size() >= limits::mentions_max) break;
        audience.mentions.push_back({.person = person, .principal = principals.front()});
    }
    return audience;
}

}  // namespace countersign
