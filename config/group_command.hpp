// SPDX-License-Identifier: Apache-2.0
// Groups whose members come from a command, e.g. who is on call today.
//
// If the command fails, the group is empty, never an old or partial list: only the intended people may decide.
#pragma once

#include "core/configuration.hpp"
#include "core/limits.hpp"
#include "core/result.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace countersign::config {

// Runs argv without a shell and returns its output. The command gets a few of our environment variables, no input, none
// of our other descriptors, and its own process group, which is killed when this returns for any reason.
//
// Blocks up to `deadline`. Errc::timeout past it, Errc::too_large past group_command_bytes_max, Errc::unavailable if
// the command cannot start or exits with an error.
[[nodiscard]] Result<std::string> run_group_command(const std::vector<std::string>& argv,
                                                    std::chrono::milliseconds deadline = limits::group_command_max);

struct ResolvedGroups {
    Configuration configuration;
    // For the operator: commands that failed, unknown names, and routes on which too few people can allow now.
    std::vector<std::string> warnings;
    bool command_failed = false;  // whether one of the warnings is a failed command
};
[[nodiscard]] ResolvedGroups resolve_groups(Configuration configuration,
                                            std::chrono::milliseconds deadline = limits::group_command_max);

// The pure part: the known people that a command printed, one per line, in order and without duplicates. Warns about
// lines that name no known person; `#` begins a comment.
[[nodiscard]] std::vector<std::string> members_printed(std::string_view group, std::string_view printed,
                                                       const Configuration& configuration,
                                                       std::vector<std::string>& warnings);

}  // namespace countersign::config
