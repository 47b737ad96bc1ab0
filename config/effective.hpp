// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/configuration.hpp"
#include "core/json/value.hpp"

namespace countersign::config {

// What is in force, for the `config` record: people with their principals and roles, groups as they are now, channels,
// routes, policy and risk rules. There is no secret in it, as there is none in a Configuration; of a group's command
// only the program stands here, because an argument may be one.
[[nodiscard]] json::Object effective(const Configuration& configuration);

// The hash of what judges a call: policy, risk and always. Two processes with the same one judge every call alike.
[[nodiscard]] std::string rules_fingerprint(const Configuration& configuration);

}  // namespace countersign::config
