// SPDX-License-Identifier: Apache-2.0
// The built-in risk rules for one simple command. Only individually reviewed commands have less than high risk.
#pragma once

#include "core/command/danger.hpp"
#include "core/risk.hpp"

#include <string_view>

namespace countersign {

// `elsewhere`: the call chose the directory in which it runs.
struct CommandPlace {
    std::string_view cwd;
    bool elsewhere = false;
};
[[nodiscard]] Risk command_risk(const CommandWords& words, const CommandPlace& place);

// The same for a command with words that the shell expands to matching files (Wildcards::kept). A matching file may be
// a link, so the risk is at least medium.
[[nodiscard]] Risk wildcard_risk(const CommandWords& words, const CommandPlace& place);

// True if the command, with exactly these words, can only read and print.
[[nodiscard]] bool only_reads(const CommandWords& words);

}  // namespace countersign
