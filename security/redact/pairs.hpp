// SPDX-License-Identifier: Apache-2.0
// Pairs: a name that says "secret" and the value after it, in whatever notation the two stand.
//
// FOO_TOKEN=…, "password": "…", --api-key …, api_key = '…', X-Api-Key: …, ?sig=…, <secret>…</secret>, set TOKEN …,
// {"name": "DB_PASSWORD", "value": "…"}, Authorization: Bearer …, Cookie: a=b; c=d. One pass over the text.
#pragma once

#include "security/redact/finding.hpp"

#include <string_view>

namespace countersign::security {

// Text made to be read again and again, of names each of whose values is all of the rest, is one finding: `unreadable`.
[[nodiscard]] Findings find_pairs(std::string_view text);

}  // namespace countersign::security
