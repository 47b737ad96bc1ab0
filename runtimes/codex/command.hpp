// SPDX-License-Identifier: Apache-2.0
// The command that starts Codex's app server, such that it asks us and no argument can silently turn that off.
#pragma once

#include "core/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace countersign::runtimes::codex {

struct StartOptions {
    std::string approval_policy = "untrusted";
    std::string sandbox = "workspace-write";
};

struct StartCommand {
    std::vector<std::string> argv;
    std::vector<std::string> warnings;  // what some arguments allow without asking, for the operator
};

// `arguments` are the operator's own for the app server. Errc::unsupported names the one that is refused, and why: only
// settings are accepted, because any other argument may move the session or its answers to elsewhere.
[[nodiscard]] Result<StartCommand> start_command(const std::string& binary, const std::vector<std::string>& arguments,
                                                 const StartOptions& options);

// Of these environment variable names, the ones that Codex may inherit: locations, language, and its own credentials,
// but nothing of Countersign's.
[[nodiscard]] std::vector<std::string> inherited(const std::vector<std::string>& names);

}  // namespace countersign::runtimes::codex
