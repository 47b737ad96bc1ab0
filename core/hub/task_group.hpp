// SPDX-License-Identifier: Apache-2.0
// TaskGroup: every task of the program belongs to one, so no task is detached. It is cancelled with the group and
// awaited before main returns.
//
// It is in core and not in net, because the hub needs it and may include nothing else (docs/adr/0004).
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
    // Cancels one task at its next suspension, if it is still running then: immediately when called in a handler of the
    // executor, else on its next turn. A copy refers to the same task.
    class Handle {
    public:
        Handle() = default;
        void cancel() const;

    private:
        friend class TaskGroup;
        std::weak_ptr<State> state_;
        std::weak_ptr<boost::asio::cancellation_signal> signal_;
    };

    // `stray` is called with any exception that leaves a task, other than its cancellation. It must not throw.
    TaskGroup(boost::asio::any_io_executor executor, std::function<void(const std::string& what)> stray);
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;
    // Precondition: join() has resolved, or the executor never runs again.
    ~TaskGroup();

    // The task starts on the executor's next turn, never inside this call.
    Handle spawn(boost::asio::awaitable<void> task);
    // Runs all of them concurrently and resolves when the last one has ended. They are tasks of the group: cancelling
    // the caller doesn't cancel them.
    boost::asio::awaitable<void> run_together(std::vector<boost::asio::awaitable<void>> tasks);
    // Cancels every task at its next suspension, as Handle::cancel does. Tasks spawned later run normally.
    void cancel();
    // Resolves when no task is left. Doesn't cancel them.
    boost::asio::awaitable<void> join();
    [[nodiscard]] std::size_t size() const;

private:
    std::shared_ptr<State> state_;
};

}  // namespace countersign
