// SPDX-License-Identifier: Apache-2.0
// A call as one line, for lists and records: what a reviewer looks for first.
#pragma once

#include "core/json/value.hpp"

#include <string>
#include <string_view>

namespace countersign::runtimes {

// The command; the files of an edit; the pattern and the place of a search; the URL. For an unknown tool its paths, its
// URL, or the first text among its arguments. Sanitised, but longer than what is shown in the end. `redacted` must have
// passed the redactor already, so that a cut cannot expose half a secret. Empty if no text describes the call, e.g.
// with an input that can be read in two ways, or with only numbers and flags.
[[nodiscard]] std::string call_summary(std::string_view tool_name, const json::Value& redacted, bool exact);

}  // namespace countersign::runtimes
