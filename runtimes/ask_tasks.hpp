// SPDX-License-Identifier: Apache-2.0
// AskTasks: runs the asks of one agent, each as its own task. So the agent's next lines are read while the files of a
// call are inspected and while the hub writes its record.
//
// Asks reach the hub in the order in which they were started, because looks at files run one at a time in that order.
#pragma once

#include "core/hub/task_group.hpp"
#include "core/limits.hpp"
#include "runtimes/file_looks.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace countersign::runtimes {

class AskTasks {
public:
    // `stray` is called when an exception escapes from a task.
    AskTasks(const boost::asio::any_io_executor& executor, std::function<void(const std::string& what)> stray)
        : tasks_{executor, std::move(stray)}, changed_{executor, boost::asio::steady_timer::time_point::max()} {}

    // Starts the task on the executor's next turn. While agent_asks_max tasks run, this waits for one of them to end,
    // so the caller reads no further.
    boost::asio::awaitable<void> start(boost::asio::awaitable<void> ask);
    // Called by a task: runs the look after those of all earlier tasks.
    boost::asio::awaitable<Seen> look(boost::asio::awaitable<Seen> look);
    // Runs this on the next turn, after everything that the caller does before it suspends.
    void next_turn(std::function<void()> action);
    // Resolves when every ask has ended.
    boost::asio::awaitable<void> join() { return tasks_.join(); }

private:
    boost::asio::awaitable<void> run(boost::asio::awaitable<void> ask);
    boost::asio::awaitable<void> changed();

    TaskGroup tasks_;
    boost::asio::steady_timer changed_;  // cancelled when a look or an ask ends
    std::size_t running_ = 0;
    std::uint64_t looks_ = 0;  // requested so far
    std::uint64_t looked_ = 0;
};

}  // namespace countersign::runtimes
