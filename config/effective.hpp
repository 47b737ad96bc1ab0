// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/configuration.hpp"
#include "core/json/value.hpp"

namespace countersign::config {

// The effective configuration for the `config` record: people with their principals and roles, groups with their
// current members, channels, routes, policy and risk rules. Contains no secrets, because a Configuration has none. Of a
// group's command only the program is included, because an argument may be a secret.
[[nodiscard]] json::Object effective(const Configuration& configuration);

// The hash of the rules that judge a call: policy, risk and always. Processes with the same hash judge every call
// alike.
[[nodiscard]] std::string rules_fingerprint(const Configuration& configuration);

}  // namespace countersign::config
