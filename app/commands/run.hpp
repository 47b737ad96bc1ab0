// SPDX-License-Identifier: Apache-2.0
// What `run` does with every runtime: the hub here or the one that is there already, its channels, then the agent.
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
    std::vector<std::string> env;  // names of variables that the agent gets too
    bool plain = false;
    bool access_log = false;
    bool share_stderr = false;
};
// --agent, --session, --state, --config, --env, --plain, --access-log, --share-stderr.
void add_run_options(Command& command, RunOptions& options);

// The configuration in this file, or in the default place if it is empty. Prints problems and warnings.
[[nodiscard]] Result<Configuration> configuration_from(const std::string& given);

// Says on standard error what is valid and yet will disappoint: too few people, no person who could use this terminal.
void print_warnings(const config::ResolvedGroups& resolved);

// Starts the agent in the host's home; the adapter is the runtime's own.
using StartAgent = std::function<Result<std::unique_ptr<AgentSession>>(Host& host)>;
// From the first check to the last record; returns the exit code.
int run_agent(const RunOptions& options, const StartAgent& start);

// The hub alone, for agents of other processes. Uses state, config, plain and access_log.
int serve(const RunOptions& options);

// Where the agent will be: what was asked for, or where we are.
[[nodiscard]] std::string working_directory();
// Of the agent's directories, for its adapter.
[[nodiscard]] runtimes::FindWorkplace find_workplace();
// The files of an agent that we start on this machine, in the home that it inherits.
[[nodiscard]] runtimes::AgentFiles agent_files();

}  // namespace countersign::app
