// SPDX-License-Identifier: Apache-2.0
// TaskGroup: nothing is detached. Every task of the program lives in one, is cancelled with it, and is awaited before
// main returns.
//
// Lives in core and not in net, because the hub needs it and may include nothing else (docs/adr/0004).
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace countersign {

class TaskGroup {
    struct State;

public:
    // Ends one task at its next suspension, if it still runs by then: at once inside a handler of the executor, else on
    // its next turn. A copy is the same handle.
    class Handle {
    public:
        Handle() = default;
        void cancel() const;

    private:
        friend class TaskGroup;
        std::weak_ptr<State> state_;
        std::weak_ptr<boost::asio::cancellation_signal> signal_;
    };

    // `stray` hears of an exception that left a task, other than its cancellation; it must not throw.
    TaskGroup(boost::asio::any_io_executor executor, std::function<void(const std::string& what)> stray);
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;
    // Precondition: join() has resolved, or the executor never runs again.
    ~TaskGroup();

    // The task starts on the executor's next turn, never inside this call.
    Handle spawn(boost::asio::awaitable<void> task);
    // Runs all of them at once, and resolves when the last one has ended. They are tasks of the group: cancelling the
    // caller does not end them.
    boost::asio::awaitable<void> run_together(std::vector<boost::asio::awaitable<void>> tasks);
    // Asks every task to end at its next suspension, as its handle does. Tasks spawned later run as usual.
    void cancel();
    // Resolves when no task is left. Does not cancel.
    boost::asio::awaitable<void> join();
    [[nodiscard]] std::size_t size() const;

private:
    std::shared_ptr<State> state_;
};

}  // namespace countersign
