// SPDX-License-Identifier: Apache-2.0
// One agent that we start and own, from its first line to its end.
#pragma once

#include "app/bridge.hpp"
#include "net/child.hpp"
#include "runtimes/event/adapter.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>

namespace countersign::app {

class AgentSession {
public:
    struct Options {
        std::string agent_id;
        std::string session_key;
        net::ChildSpec child;
        std::function<void(const std::string& text)> message;   // the agent's own words
        std::function<void(const std::string& why)> complaint;  // what it sent and we did not take
    };
    // Starts the agent. Borrows the bridge.
    [[nodiscard]] static Result<std::unique_ptr<AgentSession>> start(Bridge& bridge, Options options);

    // Resolves when the agent has ended and is reaped; its open requests are lost.
    boost::asio::awaitable<net::ExitStatus> run();
    // Asks it to end; run() resolves soon after. May be called at any time and more than once; the first reason stays.
    void stop(const std::string& why);
    // Why we ended it; empty if it ended by itself.
    [[nodiscard]] const std::string& stopped_because() const { return stopped_because_; }
    // The end of what it wrote to stderr, redacted and sanitised.
    [[nodiscard]] std::string last_words() const;

private:
    AgentSession(Bridge& bridge, Options options, std::unique_ptr<net::Child> child);
    boost::asio::awaitable<void> stop_listening_after_its_end();
    boost::asio::awaitable<void> stop_child();

    Bridge& bridge_;
    std::unique_ptr<net::Child> child_;
    runtimes::event::Adapter adapter_;
    TaskGroup tasks_;
    std::string stopped_because_;
};

}  // namespace countersign::app
