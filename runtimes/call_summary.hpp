// SPDX-License-Identifier: Apache-2.0
// A call in one line, for lists and records: what a reviewer looks for first.
#pragma once

#include "core/json/value.hpp"

#include <string>
#include <string_view>

namespace countersign::runtimes {

// The command; the files of an edit; the pattern and where it is looked for; the URL; of a tool that we do not know its
// paths, its URL, or the first text among its arguments. Sanitised, and longer than what is shown of it in the end.
// `redacted` went through the redactor already, so that a cut can't bare half a secret. Empty where no text says it: an
// input with two readings, or one of numbers and flags alone.
[[nodiscard]] std::string call_summary(std::string_view tool_name, const json::Value& redacted, bool exact);

}  // namespace countersign::runtimes
