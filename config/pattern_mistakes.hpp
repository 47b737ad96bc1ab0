// SPDX-License-Identifier: Apache-2.0
// Finds rule patterns that can match nothing, e.g. in the syntax of other programs, or written in a hurry.
//
// A deny that never matches is the worst mistake a policy can have, so each is an error with a suggestion. A pattern
// that could match some call is never a mistake.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace countersign::config {

struct PatternMistake {
    std::string what;
    std::string instead;
};

// `eases`: the rule allows, or lowers the risk, so it only matches hosts that every program reads in the same way.
[[nodiscard]] std::optional<PatternMistake> mistake_in_host(std::string_view pattern, bool eases);

// Words of a command are compared without their quotes. flaw_of (core/command/pattern.hpp) handles lists, wrappers and
// dangerous options.
[[nodiscard]] std::optional<PatternMistake> mistake_in_command(std::string_view pattern);

// If the text could be a file name, the message says how to write that name.
[[nodiscard]] std::optional<PatternMistake> mistake_in_path(std::string_view pattern);

// False if no tool has such a name: Read|Grep, Bash(git *), "Read, Grep".
[[nodiscard]] bool is_tool_pattern(std::string_view pattern);

}  // namespace countersign::config
