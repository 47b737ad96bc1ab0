// SPDX-License-Identifier: Apache-2.0
// Worker: one thread beside the one that owns the state, for what blocks: reading the whole log, syncing a small file.
//
// Its queue is as long as there are outsiders: each waits for its own work before it asks for more.
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
    // Waits for what is under way.
    ~Worker() {
        stop();
        pool_.join();
    }

    // Asks what runs to end early.
    void stop() { stopping_ = true; }
    // After stop(), when nothing runs there.
    void go_on() { stopping_ = false; }
    [[nodiscard]] bool stopping() const { return stopping_; }

    // Runs it there and resumes here. Whoever is cancelled meanwhile hears of it afterwards: the work uses what the
    // caller owns. `work` must own everything else.
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
