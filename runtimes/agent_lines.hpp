// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/child.hpp"
#include "net/line_framing.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <utility>

namespace countersign::runtimes {

// AgentLines: reads an agent's output line by line.
class AgentLines {
public:
    // Borrows the child.
    AgentLines(net::Child& child, net::LineFraming framing) : child_{child}, framing_{std::move(framing)} {}

    // Empty when the agent has ended.
    boost::asio::awaitable<std::optional<net::Line>> next();

private:
    net::Child& child_;
    net::LineFraming framing_;
    bool open_ = true;
};

}  // namespace countersign::runtimes
