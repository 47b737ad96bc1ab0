// SPDX-License-Identifier: Apache-2.0
// Groups that a command fills: who is on call today.
//
// A command that fails leaves its group empty, so that nobody decides who was not meant to; it is never an old list or
// part of one.
#pragma once

#include "core/configuration.hpp"
#include "core/limits.hpp"
#include "core/result.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace countersign::config {

// Runs argv without a shell and returns what it printed. It gets a few variables of our environment, no input, no other
// descriptor of ours, and a process group of its own, which is killed when this returns, however it ends.
//
// Blocks up to `deadline`. Errc::timeout past it, Errc::too_large past group_command_bytes_max, Errc::unavailable if it
// cannot start or does not end with 0.
[[nodiscard]] Result<std::string> run_group_command(const std::vector<std::string>& argv,
                                                    std::chrono::milliseconds deadline = limits::group_command_max);

struct ResolvedGroups {
    Configuration configuration;
    std::vector<std::string> warnings;  // for the operator: commands that failed, names that nobody has, routes that
                                        // too few people can allow on now
    bool command_failed = false;        // one of the warnings is that
};
[[nodiscard]] ResolvedGroups resolve_groups(Configuration configuration,
                                            std::chrono::milliseconds deadline = limits::group_command_max);

// Pure part of it: the known people that a command printed, one a line, each once, in the order printed. Lines that
// name nobody are warned about; `#` begins a comment.
[[nodiscard]] std::vector<std::string> members_printed(std::string_view group, std::string_view printed,
                                                       const Configuration& configuration,
                                                       std::vector<std::string>& warnings);

}  // namespace countersign::config
