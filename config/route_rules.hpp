// SPDX-License-Identifier: Apache-2.0
// Checks routes beyond their syntax: each can be reached, and on each enough people can allow.
#pragma once

#include "core/configuration.hpp"

#include <optional>
#include <string>

namespace countersign::config {

// True if every request that fits `later` also fits `earlier`, judged by the patterns alone; false if in doubt. Without
// a match, a route fits every request.
[[nodiscard]] bool covers(const std::optional<RouteMatch>& earlier, const std::optional<RouteMatch>& later);

// True if some of the deciders are unknown until a command has printed them.
[[nodiscard]] bool has_command_group(const Configuration& configuration, const Route& route);

// Why fewer than `required` different deciders can allow on the route's steps; empty if enough can. A decider can if
// they have the role approve and there is a step that is sent to everyone or to them by name, on a platform where they
// have an id and which proves at least the route's assurance. Deciders who can only use the terminal count as one
// person.
struct Shortage {
    std::string what;
    std::string instead;
};
[[nodiscard]] std::optional<Shortage> shortage_of(const Configuration& configuration, const Route& route);

// The user who runs the hub answers at the terminal: warns if no person in the configuration is that user.
[[nodiscard]] std::optional<std::string> stranger_at_the_terminal(const Configuration& configuration, unsigned uid);

[[nodiscard]] bool has_principal_of(const Person& person, std::string_view principal_kind);

}  // namespace countersign::config
