// SPDX-License-Identifier: Apache-2.0
// Settings: the values of a configuration file, whose syntax says where each one ends.
//
// In a text of unknown kind a value ends at the first character that a shell would act on, because the rest may be a
// command. In a file that no shell reads, it goes on: DB_PASSWORD=abc&def is one password. Some of these files can be
// sourced by a shell all the same. So the characters that a shell acts on stay visible between the masks, and so does
// what such a shell would run: a substitution, and after an operator a path, a known program, a variable or a word with
// arguments. Any other word after an operator is taken for the tail of a password and hidden.
#pragma once

#include "security/redact/finding.hpp"

#include <string_view>

namespace countersign::security {

enum class TextKind {
    any,       // may be a command
    settings,  // NAME=value or name = value, one a line: .env, INI, TOML, properties
    yaml,      // name: value; a line with = may be a command of a pipeline
};

// By the name of the file. A script, and any file that isn't known to be configuration, is `any`.
[[nodiscard]] TextKind kind_of_file(std::string_view path);

// The values that their names call secret. Empty for a text of kind `any`.
[[nodiscard]] Findings find_settings(std::string_view text, TextKind kind);

}  // namespace countersign::security
