// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "audit/record.hpp"

#include <string>
#include <string_view>

namespace countersign::audit {

// One line for a person, without the line break; pure. Texts of agents and people pass the display sanitiser, so a
// record cannot move the reader's cursor. Times are UTC, as in the record, unless the caller passes one.
//   12  2026-11-16T03:14:07Z  decision  allowed  Bash  by alice via ops  1.2 s  01J…
[[nodiscard]] std::string print(const Record& record);
[[nodiscard]] std::string print(const Record& record, std::string_view time);

// The record's JSON for a terminal: the same value, with characters that the sanitiser would hide written as escapes.
// These bytes are not the leaf any more; hash the log's own bytes instead.
[[nodiscard]] std::string print_json(std::string_view json);

}  // namespace countersign::audit
