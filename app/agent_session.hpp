// SPDX-License-Identifier: Apache-2.0
// AgentSession: one agent that we start and own, from its first line to its end.
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
        // Makes the runtime's adapter, which borrows the child.
        std::function<std::unique_ptr<runtimes::AgentAdapter>(net::Child& child)> adapter;
        std::function<void(const std::string& why)> complaint;  // reports errors that do not end the agent
    };
    // Starts the agent.
    [[nodiscard]] static Result<std::unique_ptr<AgentSession>> start(AgentHome home, Options options);

    // Resolves when the agent has ended and was reaped; its open requests are then lost.
    boost::asio::awaitable<net::ExitStatus> run();
    // Asks the agent to end; run() resolves soon after. May be called at any time, also repeatedly; the first reason is
    // kept.
    void stop(const std::string& why);
    // Why we ended the agent; empty if it ended by itself.
    [[nodiscard]] const std::string& stopped_because() const { return stopped_because_; }
    // The halt that interrupted the agent, in the hub's words; empty without one, or if the agent has continued since.
    [[nodiscard]] std::string halted_because() const { return adapter_->interrupted_because(); }
    // The end of its stderr output, redacted and sanitised.
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
