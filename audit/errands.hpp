// SPDX-License-Identifier: Apache-2.0
// Errands: what the log's files need and nobody waits for, such as the checkpoint file. One at a time.
//
// On a thread of its own where a hub runs: a checkpoint file takes as long as ten batches. Without a thread for who has
// but one, and for tests that count every call: at once, or when it is heard of, as late as another thread may be.
#pragma once

#include "core/result.hpp"

#include <functional>
#include <future>
#include <memory>

namespace countersign::audit {

class Errands {
public:
    enum class On { own_thread, callers_thread, when_heard };
    explicit Errands(On on);
    Errands(Errands&&) noexcept;
    Errands& operator=(Errands&&) = delete;
    ~Errands();  // waits for the one that is under way

    // One is under way, or has ended and its outcome was not heard yet.
    [[nodiscard]] bool busy() const { return running_.valid(); }
    // Precondition: not busy. The work touches nothing that its caller changes meanwhile.
    void run(std::function<Result<void>()> work);
    // What the last one came to, if it has ended; success while it has not.
    [[nodiscard]] Result<void> hear();
    // The same, and waits for it.
    [[nodiscard]] Result<void> wait();

private:
    class Worker;
    [[nodiscard]] Worker* worker();

    On on_;
    std::future<Result<void>> running_;
    std::packaged_task<Result<void>()> late_;  // runs when it is heard of
    std::unique_ptr<Worker> worker_;           // since the first errand: to start a thread takes as long as a batch
};

}  // namespace countersign::audit
