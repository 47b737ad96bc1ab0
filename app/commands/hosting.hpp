// SPDX-License-Identifier: Apache-2.0
// What `demo` and `run` share: one bridge, one agent, channels of people, and an orderly end.
#pragma once

#include "app/agent_session.hpp"
#include "app/bridge.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace countersign::app {

// Opened channels and what keeps them going.
struct Host {
    boost::asio::io_context io{1};
    std::unique_ptr<Bridge> bridge;
    std::vector<std::unique_ptr<Channel>> channels;
    std::vector<std::function<boost::asio::awaitable<void>()>> channel_tasks;
    std::function<void()> close_channels = [] {};
    std::unique_ptr<AgentSession> agent;
};

// Runs the agent until it ends or somebody stops us (SIGINT, SIGTERM, SIGHUP, or `stop` called by a channel), then closes
// everything in order: agent, requests, channels, log. Returns the exit code; `finished` is called after the log is
// closed, if all went well. Does not return if the disk hangs.
int host_until_end(Host& host, const std::function<void(const net::ExitStatus&)>& finished);

// The same end when a channel or the agent could not be started: closes what was opened, so that the log says that this
// hub stopped, and reports the error. Returns the exit code.
int give_up(Host& host, const Error& why);

}  // namespace countersign::app
