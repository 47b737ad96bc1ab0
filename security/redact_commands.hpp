// SPDX-License-Identifier: Apache-2.0
// Commands that take a secret behind a short flag: mysql -psecret, curl -u bob:secret, docker login -p secret.
//
// The same -p is a port elsewhere, so the table goes by tool. Long flags need no table: their names say it
// (security/redact_pairs.hpp).
#pragma once

#include "security/redact_finding.hpp"

#include <span>
#include <string_view>

namespace countersign::security {

[[nodiscard]] Findings find_command_secrets(std::string_view text);

// The tools' names: a text without any of them need not be looked through.
[[nodiscard]] std::span<const std::string_view> command_tools();

}  // namespace countersign::security
