// SPDX-License-Identifier: Apache-2.0
// Pairs: a name that suggests a secret and the value after it, in any notation.
//
// FOO_TOKEN=…, "password": "…", --api-key …, api_key = '…', X-Api-Key: …, ?sig=…, <secret>…</secret>, set TOKEN …,
// {"name": "DB_PASSWORD", "value": "…"}, Authorization: Bearer …, Cookie: a=b; c=d. One pass over the text.
#pragma once

#include "security/redact/finding.hpp"

#include <string_view>

namespace countersign::security {

// A text designed to be reread many times, e.g. with names whose values are all the rest of it, gives one finding:
// `unreadable`.
[[nodiscard]] Findings find_pairs(std::string_view text);

}  // namespace countersign::security
