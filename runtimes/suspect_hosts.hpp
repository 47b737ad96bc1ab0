// SPDX-License-Identifier: Apache-2.0
// The hosts of a call that a person should check carefully.
#pragma once

#include "core/request.hpp"
#include "core/risk.hpp"
#include "security/redact/redactor.hpp"

#include <vector>

namespace countersign::runtimes {

// The hosts in the facts, and words of a command that could be hosts ("ssh gіthub.com"). Unique, deceptive ones first,
// at most suspect_hosts_max. Records in the facts whether one is deceptive. Redacted and sanitised.
[[nodiscard]] std::vector<SuspectHost> find_suspect_hosts(CallFacts& facts, const security::Redactor& redactor);

}  // namespace countersign::runtimes
