// SPDX-License-Identifier: Apache-2.0
// The command of a call, as the rules read it.
#pragma once

#include "core/command/danger.hpp"
#include "core/risk.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace countersign {

// The parsed commands of a call whose tool is a POSIX shell. Returns nullopt if the call has no command, if the line
// can't be parsed (core/command/line.hpp), and for a shell with another grammar: in PowerShell even quotes and `;` mean
// something else.
[[nodiscard]] std::optional<std::vector<CommandWords>> parsed_commands(const CallFacts& facts);

// The same for a line that can't be parsed only because the shell expands words in it (*.c). The risk of such a command
// is never low, and no rule allows it.
[[nodiscard]] std::optional<std::vector<CommandWords>> commands_with_wildcards(const CallFacts& facts);

// The parts of a word that may be paths: the word itself unless it is an option, a value glued to a short option
// (-I/usr), and the text after `=`, `:`, `,` or `@`.
[[nodiscard]] std::vector<std::string_view> path_texts(std::string_view word);

// For a rule that allows a call or lowers its risk: true if the pattern covers these words (core/command/pattern.hpp),
// and still does after links are resolved. A wildcard never allows a path with secrets. If the agent's files aren't
// visible, a wildcard within a word (docs/*) allows nothing, because the path may go through a link.
[[nodiscard]] bool command_is_allowed(std::string_view pattern, const CommandWords& words, const CallFacts& facts);

}  // namespace countersign
