// SPDX-License-Identifier: Apache-2.0
// How Claude Code is started: so that it asks us, and nothing given beside that can turn the asking off unseen.
#pragma once

#include "core/result.hpp"

#include <string>
#include <vector>

namespace countersign::runtimes::claude {

struct StartCommand {
    std::vector<std::string> argv;
    std::vector<std::string> warnings;  // what some arguments let run without asking; for the person who starts it
};

enum class Asks {
    what_the_cli_asks,  // its own rules and settings let some calls run, such as reads in the working directory
    everything,         // a rule that beats every allow rule makes it ask about each call
};

// `arguments` are the operator's own, for the CLI. Errc::unsupported names the one that would turn the asking off or
// carry it elsewhere, and why. The prompt is none of them: it goes over standard input, because every user can read
// arguments.
[[nodiscard]] Result<StartCommand> start_command(const std::string& binary, const std::vector<std::string>& arguments,
                                                 Asks asks = Asks::what_the_cli_asks);

// Of the names of our environment those that the CLI may inherit: where things are, how to speak, and its own
// credentials; nothing of Countersign's.
[[nodiscard]] std::vector<std::string> inherited(const std::vector<std::string>& names);

}  // namespace countersign::runtimes::claude
