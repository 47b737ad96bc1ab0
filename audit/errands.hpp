// SPDX-License-Identifier: Apache-2.0
// Errands: runs file work that no caller waits for, e.g. writing the checkpoint file. One errand at a time.
//
// A running hub gives errands their own thread, because a checkpoint file takes as long as ten batches. Callers with a
// single thread, and tests that count every call, run them in place: at once, or only when the outcome is asked for,
// which is as late as another thread might be.
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
    ~Errands();  // waits for the errand that is running

    // True while an errand runs, or has ended and its outcome was not collected with hear() or wait().
    [[nodiscard]] bool busy() const { return running_.valid(); }
    // Precondition: not busy. The work must not touch anything that the caller changes meanwhile.
    void run(std::function<Result<void>()> work);
    // The outcome of the last errand if it has ended; success while it is running.
    [[nodiscard]] Result<void> hear();
    // Waits for the errand to end and returns its outcome.
    [[nodiscard]] Result<void> wait();

private:
    class Worker;
    [[nodiscard]] Worker* worker();

    On on_;
    std::future<Result<void>> running_;
    std::packaged_task<Result<void>()> late_;  // runs when the outcome is asked for
    std::unique_ptr<Worker> worker_;  // created with the first errand: starting a thread takes as long as a batch
};

}  // namespace countersign::audit
