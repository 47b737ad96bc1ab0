// SPDX-License-Identifier: Apache-2.0
// LookThreads: a few threads beside the one that owns the state, for looks at files, which may hang.
//
// A look that is not back in time is left to its thread. When every thread hangs, later looks end at once, until one of
// the threads comes back. Nothing waits for a thread that hangs, not even the end of the process.
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
    // Borrows the clock. The executor is the owner's, and outlives this.
    LookThreads(boost::asio::any_io_executor executor, Clock& clock);
    LookThreads(const LookThreads&) = delete;
    LookThreads& operator=(const LookThreads&) = delete;
    // Leaves a thread that is busy to itself.
    ~LookThreads() override;
    // Whether some thread of this process was left so. Then the process must end by _exit: the thread may come back
    // while the statics that it uses are destroyed.
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
    std::shared_ptr<Shared> shared_;  // with the threads
    std::vector<std::thread> threads_;
};

}  // namespace countersign::runtimes
