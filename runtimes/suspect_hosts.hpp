// SPDX-License-Identifier: Apache-2.0
// The hosts of a call that a person should look at twice.
#pragma once

#include "core/request.hpp"
#include "core/risk.hpp"
#include "security/redact/redactor.hpp"

#include <vector>

namespace countersign::runtimes {

// Those of the facts, and the words of a command that could be a host without saying so ("ssh gіthub.com"). Each once,
// deceiving ones first, at most suspect_hosts_max. Notes in the facts whether one deceives. Redacted and sanitised.
[[nodiscard]] std::vector<SuspectHost> find_suspect_hosts(CallFacts& facts, const security::Redactor& redactor);

}  // namespace countersign::runtimes
