// SPDX-License-Identifier: Apache-2.0
// What must hold of routes beyond their spelling: each can be reached, and on each enough people can allow.
#pragma once

#include "core/configuration.hpp"

#include <optional>
#include <string>

namespace countersign::config {

// True when every request that fits `later` fits `earlier` too, as far as the patterns themselves tell; false when in
// doubt. No match fits everything.
[[nodiscard]] bool covers(const std::optional<RouteMatch>& earlier, const std::optional<RouteMatch>& later);

// True when some of the deciders are only known after a command printed them.
[[nodiscard]] bool has_command_group(const Configuration& configuration, const Route& route);

// Why fewer than `required` different deciders can allow on the steps they are sent; nothing if enough can. One can who
// has the role approve and, on a step that is sent to everybody or to them by name, an id of that platform, where the
// platform proves at least the route's assurance. Those who can only be asked at the terminal count as one.
struct Shortage {
    std::string what;
    std::string instead;
};
[[nodiscard]] std::optional<Shortage> shortage_of(const Configuration& configuration, const Route& route);

// A terminal is answered by the user who runs the hub: says so when no person of the configuration is that user.
[[nodiscard]] std::optional<std::string> stranger_at_the_terminal(const Configuration& configuration, unsigned uid);

[[nodiscard]] bool has_principal_of(const Person& person, std::string_view principal_kind);

}  // namespace countersign::config
