// SPDX-License-Identifier: Apache-2.0
// What the built-in rules say of one simple command. Only commands that were looked at one by one are less than high.
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

// The same for a command with words that the shell replaces by the files that match (Wildcards::kept). A link may be
// among those files, so the least is medium.
[[nodiscard]] Risk wildcard_risk(const CommandWords& words, const CommandPlace& place);

// True for a command that, with these very words, can only read and print.
[[nodiscard]] bool only_reads(const CommandWords& words);

}  // namespace countersign
