// SPDX-License-Identifier: Apache-2.0
// What people see of a call. Built from the raw input by our code alone, never from what the asker wants shown (I15).
// Redacted before anything is rendered, so that no rendering can cut a secret in two (I6).
#pragma once

#include "core/json/value.hpp"
#include "core/request.hpp"
#include "security/redact/redactor.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace countersign::runtimes {

struct SubjectDisplay {
    std::string text;          // the whole call: the command, the path of an edit, or all arguments
    std::string diff;          // of an edit, else empty
    std::string reason;        // the model's explanation of its command; to be shown separately
    std::string summary = {};  // for lists; empty: use the text
    friend bool operator==(const SubjectDisplay&, const SubjectDisplay&) = default;
};

// `exact` is false if the input can be read in two ways; then every member is shown as received.
[[nodiscard]] SubjectDisplay display_of_tool(std::string_view tool_name, const json::Value& input, bool exact,
                                             const security::Redactor& redactor);

[[nodiscard]] std::string display_of_shell(const std::vector<std::string>& argv, const security::Redactor& redactor);

// Any other text from the agent, as several lines or as one.
[[nodiscard]] std::string shown_block(std::string_view text, const security::Redactor& redactor);
[[nodiscard]] std::string shown_line(std::string_view text, const security::Redactor& redactor);

// False if the redactor withheld a part because it could not search all of it. An agent that writes the redactor's mark
// itself only makes its own request impossible to allow.
[[nodiscard]] bool is_whole(std::string_view shown);

// Adds the display to an approval that already has its options and the agent's other texts. Without the whole text
// there is no allow (I7): a text that is too large for any page, or to be searched for secrets, is replaced by its size
// and hash, and can only be denied. A last line warns about words that mix scripts, except in a diff, because source
// code has many.
void show(SubjectDisplay display, const ArgsHash& hash, Approval& approval);

}  // namespace countersign::runtimes
