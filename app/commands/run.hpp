// SPDX-License-Identifier: Apache-2.0
// What `run` does for every runtime: opens the hub or joins the running one, opens its channels, then starts the agent.
#pragma once

#include "app/command_line/command.hpp"
#include "app/host.hpp"
#include "config/group_command.hpp"
#include "runtimes/file_view.hpp"
#include "runtimes/workplace.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace countersign::app {

struct RunOptions {
    std::string runtime;
    std::string agent_id;
    std::string session_key = "default";
    std::string state;
    std::string config;
    std::vector<std::string> env;  // names of extra variables that the agent gets
    bool plain = false;
    bool access_log = false;
    bool share_stderr = false;
};
// --agent, --session, --state, --config, --env, --plain, --access-log, --share-stderr.
void add_run_options(Command& command, RunOptions& options);

// Loads the given configuration file, or the default one if the path is empty. Prints problems and warnings.
[[nodiscard]] Result<Configuration> configuration_from(const std::string& given);

// Warns on standard error about valid settings that will disappoint, e.g. too few people, or no person who could use
// this terminal.
void print_warnings(const config::ResolvedGroups& resolved);

// Starts the agent in the host; creates the runtime's adapter.
using StartAgent = std::function<Result<std::unique_ptr<AgentSession>>(Host& host)>;
// Runs everything from the first check to the last record; returns the exit code.
int run_agent(const RunOptions& options, const StartAgent& start);

// Runs a hub without an agent, for agents of other processes. Uses state, config, plain and access_log.
int serve(const RunOptions& options);

// The agent's directory: the requested one, or the current one.
[[nodiscard]] std::string working_directory();
// Finds the workplace of an agent's directory; for its adapter.
[[nodiscard]] runtimes::FindWorkplace find_workplace();
// The files of an agent that we start on this machine, with the home directory that it inherits.
[[nodiscard]] runtimes::AgentFiles agent_files();

}  // namespace countersign::app
