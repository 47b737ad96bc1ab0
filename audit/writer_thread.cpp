// SPDX-License-Identifier: Apache-2.0
#include "audit/writer_thread.hpp"

#include "core/limits.hpp"

#include <utility>

namespace countersign::audit {

WriterThread::WriterThread(BatchWriter writer, std::chrono::milliseconds linger, std::function<void(Report)> report)
    : writer_{std::move(writer)},
      linger_{linger},
      report_{std::move(report)},
      boot_id_{writer_.boot_id()},
      thread_{[this] { run(); }} {}

WriterThread::~WriterThread() {
    abandon();
    thread_.join();
}

void WriterThread::push(Item item) {
    const auto haste = item.haste;
    auto drafted = draft_item(std::move(item), boot_id_);
    {
        const std::lock_guard lock{mutex_};
        hurry_ = hurry_ || haste == Haste::now;
        queued_bytes_ += drafted.draft ? drafted.draft->json.size() : 0;
        queue_.push_back(std::move(drafted));
        pushed_ = true;
    }
    wake_.notify_one();
}

void WriterThread::stir() {
    {
        const std::lock_guard lock{mutex_};
        stirred_ = true;
    }
    wake_.notify_one();
}

void WriterThread::finish() {
    {
        const std::lock_guard lock{mutex_};
        finish_ = true;
    }
    wake_.notify_one();
}

void WriterThread::abandon() {
    {
        const std::lock_guard lock{mutex_};
        abandon_ = true;
    }
    wake_.notify_one();
}

void WriterThread::run() {
    const auto failed = [&](const Error& why) { report_({.results = {}, .checkpoint = {}, .failure = why}); };
    while (auto batch = gather()) {
        auto results = writer_.commit(std::move(*batch));
        if (!results) return failed(results.error());
        if (!results->empty()) {
            answered_by_ = std::chrono::steady_clock::now() + limits::log_stir_max;
            answering_ = results->size() > 1;
            report_({.results = std::move(*results), .checkpoint = writer_.checkpoint(), .failure = {}});
        }
        if (abandoned()) return;
        if (const auto maintained = writer_.maintain(); !maintained) return failed(maintained.error());
    }
    if (abandoned()) return;
    if (const auto finished = writer_.finish(); !finished) return failed(finished.error());
    report_({.results = {}, .checkpoint = {}, .failure = {}, .finished = true});
}

// Waits until it is time to write something: somebody waits, a batch is full, or the first record has lingered. An
// empty batch when the files want to be looked after, and nothing when there is nothing left to write, ever.
std::optional<Batch> WriterThread::gather() {
    std::unique_lock lock{mutex_};
    await_answered(lock);
    const auto called = [this] { return abandon_ || finish_ || !queue_.empty() || !taken_.empty(); };
    const auto stirred = [&] { return called() || stirred_; };
    while (!called()) {
        const auto due = writer_.maintenance_due();
        if (due && !wake_.wait_until(lock, *due, stirred)) return Batch{};
        wake_.wait(lock, stirred);
        if (!called()) look_out(lock);
    }
    const auto lingered = std::chrono::steady_clock::now() + linger_;
    const auto enough = [this] { return hurry_ || !taken_.empty() || queued_bytes_ >= limits::log_batch_bytes_max; };
    wake_.wait_until(lock, lingered, [&] { return abandon_ || finish_ || enough(); });
    if (abandon_ || (queue_.empty() && taken_.empty())) return std::nullopt;
    stirred_ = false;
    return fill(lock);
}

// Until nothing more is there or nothing more goes in. What did not go in waits no longer.
Batch WriterThread::fill(std::unique_lock<std::mutex>& lock) {
    Batch batch;
    do {
        if (taken_.empty()) {
            std::swap(taken_, queue_);
            queued_bytes_ = 0;
            hurry_ = false;
            pushed_ = false;
        }
        lock.unlock();
        while (!taken_.empty() && !batch.full()) {
            writer_.add(batch, std::move(taken_.front()));
            taken_.pop_front();
        }
        lock.lock();
        await_answered(lock);
    } while (!queue_.empty() && !batch.full());
    return batch;
}

void WriterThread::look_out(std::unique_lock<std::mutex>& lock) {
    stirred_ = false;
    lock.unlock();
    const auto until = std::chrono::steady_clock::now() + limits::log_stir_max;
    while (!pushed_ && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    lock.lock();
}

// Many who were told at once may come again at once: one sync takes them all.
void WriterThread::await_answered(std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    while (answering_ && !pushed_ && std::chrono::steady_clock::now() < answered_by_) std::this_thread::yield();
    lock.lock();
}

bool WriterThread::abandoned() {
    const std::lock_guard lock{mutex_};
    return abandon_;
}

}  // namespace countersign::audit
