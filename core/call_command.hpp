// SPDX-License-Identifier: Apache-2.0
// The command of a call, as the rules read it.
#pragma once

#include "core/command/danger.hpp"
#include "core/risk.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace countersign {

// The commands of a call whose tool is a POSIX shell. Nothing where there is none, where the line isn't understood
// (core/command/line.hpp), and for a shell with another grammar: in PowerShell even quotes and `;` mean something else.
[[nodiscard]] std::optional<std::vector<CommandWords>> parsed_commands(const CallFacts& facts);

// The same where only words that the shell expands (*.c) keep the line from being understood. Such a command is never
// low, and no rule allows it.
[[nodiscard]] std::optional<std::vector<CommandWords>> commands_with_wildcards(const CallFacts& facts);

// The texts in a word that may be paths: the word itself unless it is an option, what is glued to a letter of a cluster
// of short options, and what follows `=`, `:`, `,` or `@`.
[[nodiscard]] std::vector<std::string_view> path_texts(std::string_view word);

// For a rule that allows or lowers: the pattern covers these words (core/command/pattern.hpp), and still does where
// links lead. A wildcard allows no place of secrets. Where the agent's files aren't visible, a wildcard within a word
// (docs/*) allows nothing, because a link may be behind it.
[[nodiscard]] bool command_is_allowed(std::string_view pattern, const CommandWords& words, const CallFacts& facts);

}  // namespace countersign
