// SPDX-License-Identifier: Apache-2.0
// Completion scripts for bash, zsh and fish, made from the command table.
//
// All three work the same way: they follow the words before the cursor down to the command they name, and then offer
// that command's subcommands, options and values. The scripts contain the whole table, so pressing Tab never starts
// countersign.
#pragma once

#include "app/command_line/command_table.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::app {

[[nodiscard]] std::string bash_completion(const TableCommand& program);
[[nodiscard]] std::string zsh_completion(const TableCommand& program);
[[nodiscard]] std::string fish_completion(const TableCommand& program);

[[nodiscard]] std::vector<std::string> completion_shells();
// Nothing for an unknown shell.
[[nodiscard]] std::optional<std::string> completion_for(std::string_view shell, const TableCommand& program);

}  // namespace countersign::app
