// SPDX-License-Identifier: Apache-2.0
// AgentLines: what an agent says, line by line. While the files of one line are looked at, the lines after it can be
// read already, so that a withdrawal is known when the look is over.
#pragma once

#include "net/child.hpp"
#include "net/line_framing.hpp"
#include "runtimes/file_looks.hpp"

#include <boost/asio/awaitable.hpp>

#include <deque>
#include <optional>

namespace countersign::runtimes {

class AgentLines {
public:
    // Borrows the child.
    AgentLines(net::Child& child, net::LineFraming framing) : child_{child}, framing_{std::move(framing)} {}

    // Nothing when the agent has ended.
    boost::asio::awaitable<std::optional<net::Line>> next();
    // Looks, and meanwhile reads ahead, until lines of agent_ahead_bytes_max wait.
    boost::asio::awaitable<Seen> read_during(boost::asio::awaitable<Seen> look);
    [[nodiscard]] const std::deque<net::Line>& ahead() const { return ahead_; }
    [[nodiscard]] std::size_t bytes_ahead() const { return ahead_bytes_; }

private:
    boost::asio::awaitable<void> read_more();
    boost::asio::awaitable<void> read_ahead();

    net::Child& child_;
    net::LineFraming framing_;
    std::deque<net::Line> ahead_;
    std::size_t ahead_bytes_ = 0;
    bool open_ = true;
};

}  // namespace countersign::runtimes
