// SPDX-License-Identifier: Apache-2.0
// The command that starts Claude Code, such that it asks us and no argument can silently turn that off.
#pragma once

#include "core/result.hpp"

#include <string>
#include <vector>

namespace countersign::runtimes::claude {

struct StartCommand {
    std::vector<std::string> argv;
    std::vector<std::string> warnings;  // what some arguments allow without asking, for the operator
};

enum class Asks {
    what_the_cli_asks,  // its own rules and settings allow some calls, e.g. reads in the working directory
    everything,         // a rule that beats every allow rule makes it ask about each call
};

// `arguments` are the operator's own for the CLI. Errc::unsupported names the argument that would turn the asking off
// or redirect it, and why. The prompt is not among them: it goes over standard input, because every user can read
// arguments.
[[nodiscard]] Result<StartCommand> start_command(const std::string& binary, const std::vector<std::string>& arguments,
                                                 Asks asks = Asks::what_the_cli_asks);

// Of these environment variable names, the ones that the CLI may inherit: locations, language, and its own credentials,
// but nothing of Countersign's.
[[nodiscard]] std::vector<std::string> inherited(const std::vector<std::string>& names);

}  // namespace countersign::runtimes::claude
