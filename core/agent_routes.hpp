// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/asker.hpp"
#include "core/configuration.hpp"

#include <vector>

namespace countersign {

// The routes that a request of this agent could take today, whatever its tool, risk and runtime. Those who decide on
// them are its judges. Without a session, or without an agent, any could be meant. Points into the configuration.
[[nodiscard]] std::vector<const Route*> routes_of(const Configuration& configuration, const Asker& asker);

}  // namespace countersign
