// SPDX-License-Identifier: Apache-2.0
// LookThreads: a few threads, next to the owner thread, for looks at files, which may hang.
//
// A look that exceeds its deadline is abandoned to its thread. When all threads hang, later looks fail at once until
// one of the threads returns. Nothing waits for a thread that hangs, not even the end of the process.
#pragma once

#include "core/ports/clock.hpp"
#include "runtimes/file_looks.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <thread>
#include <vector>

namespace countersign::runtimes {

class LookThreads final : public FileLooks {
public:
    // Borrows the clock. The executor is the owner's, and must outlive this.
    LookThreads(boost::asio::any_io_executor executor, Clock& clock);
    LookThreads(const LookThreads&) = delete;
    LookThreads& operator=(const LookThreads&) = delete;
    // Detaches the threads if one of them is still busy.
    ~LookThreads() override;
    // Whether threads of this process were detached while busy. The process must then end with _exit: a thread could
    // return while the statics it uses are being destroyed.
    [[nodiscard]] static bool left_behind();

    boost::asio::awaitable<bool> run(std::function<void()> work) override;

private:
    struct Look;
    struct Shared;
    static void serve(const std::shared_ptr<Shared>& shared);
    static boost::asio::awaitable<void> ended(std::shared_ptr<Look> look);
    [[nodiscard]] bool hand_over(const std::shared_ptr<Look>& look);
    void start_thread();
    void leave(const std::shared_ptr<Look>& look);

    boost::asio::any_io_executor executor_;
    Clock& clock_;
    std::shared_ptr<Shared> shared_;  // shared with the threads
    std::vector<std::thread> threads_;
};

}  // namespace countersign::runtimes
