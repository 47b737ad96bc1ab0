// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "audit/record.hpp"

#include <string>

namespace countersign::audit {

// One line for a person, without its break; pure. What agents and people wrote passes the display sanitiser, so that a
// record cannot move the cursor of whoever reads the log. Times are UTC, as in the record.
//   12  2026-11-16T03:14:07Z  decision  allowed  Bash  by alice via ops  1.2 s  01J…
[[nodiscard]] std::string print(const Record& record);

}  // namespace countersign::audit
