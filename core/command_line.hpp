// SPDX-License-Identifier: Apache-2.0
// Reads a shell command line just far enough to know that it is one simple command.
//
// Not a shell: everything it does not fully understand is "not simple". Operators, substitutions, redirections,
// expansions, globs, assignments before the command, comments, newlines and wrappers (env, sudo, sh -c, xargs …) are
// all refused, because each of them can run something else than what the words say. A leading `~/` is kept as it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign {

[[nodiscard]] std::optional<std::vector<std::string>> simple_command(std::string_view command_line);

// `pattern` is words with `*` and `?`; its last word `*` stands for any number of further words. Every other word fits
// exactly one word.
[[nodiscard]] bool command_fits(std::string_view pattern, const std::vector<std::string>& words);

}  // namespace countersign
