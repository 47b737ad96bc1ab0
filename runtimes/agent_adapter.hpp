// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ports/runtime.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>

namespace countersign::runtimes {

// AgentAdapter: what every runtime's adapter is to whoever starts its agent.
class AgentAdapter : public Runtime {
public:
    // Reads until the agent ends; then its open requests are lost.
    virtual boost::asio::awaitable<void> run() = 0;
    // What its open requests are lost by, if it ends from now on: it may be we who ended it.
    virtual void ends_because(std::string why) = 0;
    // Why its turn was ended from here and it asked nothing since; empty if it goes on by itself.
    [[nodiscard]] virtual std::string interrupted_because() const { return {}; }
};

}  // namespace countersign::runtimes
