// SPDX-License-Identifier: Apache-2.0
// The command that starts an ACP agent, such that it asks us and no known argument can silently turn that off.
#pragma once

#include "core/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace countersign::runtimes::acp {

struct StartCommand {
    std::vector<std::string> argv;
    std::vector<std::string> warnings;  // what some arguments allow without asking, for the operator
};

// `own` begins the command and is ours: a program, and the argument that makes it speak ACP. `arguments` are the
// operator's. Errc::unsupported names the one that would turn the asking off, and why. Of a program that we do not
// know, only the flags that are common among agents are found.
[[nodiscard]] Result<StartCommand> start_command(const std::vector<std::string>& own,
                                                 const std::vector<std::string>& arguments);

// Of these environment variable names, the ones that the agent may inherit: locations, language, and the credentials of
// known agents, but nothing of Countersign's.
[[nodiscard]] std::vector<std::string> inherited(const std::vector<std::string>& names);

}  // namespace countersign::runtimes::acp
