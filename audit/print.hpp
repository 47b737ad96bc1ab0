// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "audit/record.hpp"

#include <string>
#include <string_view>

namespace countersign::audit {

// One line for a person, without its break; pure. What agents and people wrote passes the display sanitiser, so that a
// record cannot move the reader's cursor. Times are UTC, as in the record, unless one is given.
//   12  2026-11-16T03:14:07Z  decision  allowed  Bash  by alice via ops  1.2 s  01J…
[[nodiscard]] std::string print(const Record& record);
[[nodiscard]] std::string print(const Record& record, std::string_view time);

// The record's own JSON, for a terminal: the same value, with every character that the sanitiser would not show written
// as an escape. It is no longer the leaf: whoever hashes reads the log itself.
[[nodiscard]] std::string print_json(std::string_view json);

}  // namespace countersign::audit
