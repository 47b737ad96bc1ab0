// SPDX-License-Identifier: Apache-2.0
// Patterns of a rule that can match nothing, as other programs or a hurried operator write them.
//
// A deny that never matches is the worst mistake a policy can have, so each is an error that says what to write
// instead. A pattern that some call could match is never a mistake.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace countersign::config {

struct PatternMistake {
    std::string what;
    std::string instead;
};

// `eases`: the rule allows or lowers, and is compared with hosts that every program reads in the same way only.
[[nodiscard]] std::optional<PatternMistake> mistake_in_host(std::string_view pattern, bool eases);

// The words of a command are compared without their quotes. Lists, wrappers and dangerous options are in flaw_of
// (core/command/pattern.hpp).
[[nodiscard]] std::optional<PatternMistake> mistake_in_command(std::string_view pattern);

// Where the text could be the name of a file, the message says how to write that name.
[[nodiscard]] std::optional<PatternMistake> mistake_in_path(std::string_view pattern);

// False for what no tool is called: Read|Grep, Bash(git *), "Read, Grep".
[[nodiscard]] bool is_tool_pattern(std::string_view pattern);

}  // namespace countersign::config
