// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/asker.hpp"
#include "core/configuration.hpp"

#include <vector>

namespace countersign {

// The routes that a request of this agent could take with the current configuration, for any tool, risk and runtime.
// The deciders of these routes judge the agent. If `asker` lacks the session or the agent, any could be meant. The
// pointers point into the configuration.
[[nodiscard]] std::vector<const Route*> routes_of(const Configuration& configuration, const Asker& asker);

}  // namespace countersign
