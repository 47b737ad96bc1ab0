// SPDX-License-Identifier: Apache-2.0
// One agent that we start and own, from its first line to its end.
#pragma once

#include "app/agent_home.hpp"
#include "core/hub/task_group.hpp"
#include "net/child.hpp"
#include "runtimes/agent_adapter.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>

namespace countersign::app {

class AgentSession {
public:
    struct Options {
        net::ChildSpec child;
        // The runtime's own adapter of the child, which it borrows.
        std::function<std::unique_ptr<runtimes::AgentAdapter>(net::Child& child)> adapter;
        std::function<void(const std::string& why)> complaint;  // what went wrong beside it
    };
    // Starts the agent.
    [[nodiscard]] static Result<std::unique_ptr<AgentSession>> start(AgentHome home, Options options);

    // Resolves when the agent has ended and is reaped; its open requests are lost.
    boost::asio::awaitable<net::ExitStatus> run();
    // Asks it to end; run() resolves soon after. May be called at any time and more than once; the first reason stays.
    void stop(const std::string& why);
    // Why we ended it; empty if it ended by itself.
    [[nodiscard]] const std::string& stopped_because() const { return stopped_because_; }
    // Who halted it, in the hub's words; empty if nobody did, or it goes on since.
    [[nodiscard]] std::string halted_because() const { return adapter_->interrupted_because(); }
    // The end of what it wrote to stderr, redacted and sanitised.
    [[nodiscard]] std::string last_words() const;

private:
    AgentSession(AgentHome home, Options options, std::unique_ptr<net::Child> child);
    boost::asio::awaitable<void> stop_listening_after_its_end();
    boost::asio::awaitable<void> stop_child();

    AgentHome home_;
    std::unique_ptr<net::Child> child_;
    std::unique_ptr<runtimes::AgentAdapter> adapter_;
    TaskGroup tasks_;
    std::string stopped_because_;
};

}  // namespace countersign::app
