// SPDX-License-Identifier: Apache-2.0
// Settings: the values of a configuration file, whose syntax says where each one ends.
//
// In a text of unknown kind a value ends at the first character with a meaning in a shell, because the rest may be a
// command. In a configuration file it continues: DB_PASSWORD=abc&def is one password. But some of these files can also
// be sourced by a shell. So the characters with a meaning in a shell stay visible between the masks, and so does text
// that a shell would run: a substitution and, after an operator, a path, a known program, a variable or a word with
// arguments. Any other word after an operator is treated as the rest of a password and masked.
#pragma once

#include "security/redact/finding.hpp"

#include <string_view>

namespace countersign::security {

enum class TextKind {
    any,       // may contain commands
    settings,  // one NAME=value or name = value per line: .env, INI, TOML, properties
    yaml,      // name: value; a line with = may be a command of a pipeline
};

// Decides by the name of the file. A script, and any file that isn't known to be configuration, is `any`.
[[nodiscard]] TextKind kind_of_file(std::string_view path);

// The values with a secret-sounding name. Empty for a text of kind `any`.
[[nodiscard]] Findings find_settings(std::string_view text, TextKind kind);

}  // namespace countersign::security
