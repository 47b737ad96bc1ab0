// SPDX-License-Identifier: Apache-2.0
#include "audit/errands.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace countersign::audit {

using Task = std::packaged_task<Result<void>()>;

class Errands::Worker {
public:
    Worker() : thread_{[this] { run(); }} {}
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker() {
        {
            const std::lock_guard lock{mutex_};
            end_ = true;
        }
        wake_.notify_one();
        thread_.join();
    }
    void give(Task task) {
        {
            const std::lock_guard lock{mutex_};
            next_ = std::move(task);
        }
        wake_.notify_one();
    }

private:
    void run() {
        std::unique_lock lock{mutex_};
        for (;;) {
            wake_.wait(lock, [this] { return end_ || next_.valid(); });
            if (!next_.valid()) return;
            auto task = std::move(next_);
            lock.unlock();
            task();
            lock.lock();
        }
    }

    std::mutex mutex_;  // guards the two below
    Task next_;
    bool end_ = false;
    std::condition_variable wake_;
    std::thread thread_;  // last: it uses all other members
};

Errands::Errands(On on) : on_{on} {}
Errands::Errands(Errands&&) noexcept = default;
Errands::~Errands() = default;

void Errands::run(std::function<Result<void>()> work) {
    Task task{[work = std::move(work)]() -> Result<void> {
        try {
            return work();
        } catch (const std::exception& error) {
            return Error{Errc::internal, std::string{"an errand ended with an exception: "} + error.what()};
        }
    }};
    running_ = task.get_future();
    if (on_ == On::when_heard) {
        late_ = std::move(task);
    } else if (auto* const other = worker()) {
        other->give(std::move(task));
    } else {
        task();
    }
}

// Without a thread, e.g. at a process limit, the log still works but is slower.
Errands::Worker* Errands::worker() {
    if (on_ == On::own_thread && worker_ == nullptr) {
        try {
            worker_ = std::make_unique<Worker>();
        } catch (const std::system_error&) {
            return nullptr;
        }
    }
    return worker_.get();
}

Result<void> Errands::hear() {
    if (late_.valid()) return wait();
    if (!busy() || running_.wait_for(std::chrono::seconds{0}) != std::future_status::ready) return {};
    return running_.get();
}

Result<void> Errands::wait() {
    if (auto late = std::move(late_); late.valid()) late();
    return busy() ? running_.get() : Result<void>{};
}

}  // namespace countersign::audit
