// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::runtimes::codex {

// Codex runs a command of the model as `/bin/bash -lc 'SCRIPT'`. Returns the script if the command is exactly that:
// three words, a POSIX shell from /bin or /usr/bin or by its bare name, and -c or -lc. The rules then judge the script.
[[nodiscard]] std::optional<std::string> script_in(const std::vector<std::string>& argv);
// The same for a command line. Empty if a word needs more than quotes and backslashes to be read.
[[nodiscard]] std::optional<std::string> script_in(std::string_view command_line);

}  // namespace countersign::runtimes::codex
