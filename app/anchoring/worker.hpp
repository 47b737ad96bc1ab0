// SPDX-License-Identifier: Apache-2.0
// Worker: a thread next to the owner's thread for work that blocks, e.g. reading the whole log or syncing a small file.
//
// Its queue holds at most one job per observer, because each waits for its own work before it asks for more.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <type_traits>
#include <utility>

namespace countersign::app {

class Worker {
public:
    Worker() = default;
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    // Waits for running work.
    ~Worker() {
        stop();
        pool_.join();
    }

    // Asks the running work to end early.
    void stop() { stopping_ = true; }
    // Call it after stop(), when no work runs.
    void go_on() { stopping_ = false; }
    [[nodiscard]] bool stopping() const { return stopping_; }

    // Runs the work on the thread and resumes on the caller's. A cancelled caller still waits for the work to end,
    // because the work may use state that the caller owns. `work` must own everything else.
    template <class Work> boost::asio::awaitable<std::invoke_result_t<Work&>> run(Work work) {
        namespace asio = boost::asio;
        co_return co_await asio::co_spawn(pool_.get_executor(), there(std::move(work)),
                                          asio::bind_cancellation_slot(asio::cancellation_slot{}, asio::use_awaitable));
    }

private:
    template <class Work> static boost::asio::awaitable<std::invoke_result_t<Work&>> there(Work work) {
        co_return work();
    }

    std::atomic<bool> stopping_ = false;
    boost::asio::thread_pool pool_{1};
};

}  // namespace countersign::app
