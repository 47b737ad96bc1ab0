// SPDX-License-Identifier: Apache-2.0
// What a person is shown of a call. Made from the raw input by our code alone, never from what the asker wants shown
// (I15), and redacted before anything is rendered, so that no rendering can cut a secret in two (I6).
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
    std::string diff;          // of an edit; empty if none
    std::string reason;        // what the model says about its own command; to be shown apart
    std::string summary = {};  // for lists; empty: the text says it
    friend bool operator==(const SubjectDisplay&, const SubjectDisplay&) = default;
};

// `exact` is false where the input has two readings: then every member is shown as it came.
[[nodiscard]] SubjectDisplay display_of_tool(std::string_view tool_name, const json::Value& input, bool exact,
                                             const security::Redactor& redactor);

[[nodiscard]] std::string display_of_shell(const std::vector<std::string>& argv, const security::Redactor& redactor);

// Any other text of the agent's, of several lines or as one.
[[nodiscard]] std::string shown_block(std::string_view text, const security::Redactor& redactor);
[[nodiscard]] std::string shown_line(std::string_view text, const security::Redactor& redactor);

// False when the redactor kept something back because it could not look through all of it. An agent that writes the
// mark itself only takes the allow from its own request.
[[nodiscard]] bool is_whole(std::string_view shown);

// Puts it into an approval that has its options and what else the agent said. The whole text or no allow (I7): what is
// too large for any page, or to be looked through for secrets, is named by its size and hash, and can only be denied.
// A word of several scripts is told of in a last line; not in a diff, for source code has many.
void show(SubjectDisplay display, const ArgsHash& hash, Approval& approval);

}  // namespace countersign::runtimes
