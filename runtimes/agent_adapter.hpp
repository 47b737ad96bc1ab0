// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ports/runtime.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>

namespace countersign::runtimes {

// AgentAdapter: the interface of every runtime's adapter for the code that starts the agent.
class AgentAdapter : public Runtime {
public:
    // Reads until the agent ends; its open requests are then lost.
    virtual boost::asio::awaitable<void> run() = 0;
    // The reason to give for lost requests if the agent ends from now on; we may be the ones who end it.
    virtual void ends_because(std::string why) = 0;
    // Why we interrupted its turn, if it has not asked anything since. Empty if it continues by itself.
    [[nodiscard]] virtual std::string interrupted_because() const { return {}; }
};

}  // namespace countersign::runtimes
