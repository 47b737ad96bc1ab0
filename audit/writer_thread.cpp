// SPDX-License-Identifier: Apache-2.0
#include "audit/writer_thread.hpp"

#include "core/limits.hpp"

#include <utility>

namespace countersign::audit {

WriterThread::WriterThread(BatchWriter writer, std::chrono::milliseconds linger, std::function<void(Report)> report)
    : writer_{std::move(writer)},
      linger_{linger},
      report_{std::move(report)},
      synced_{writer_.synced()},
      thread_{[this] { run(); }} {}

WriterThread::~WriterThread() {
    abandon();
    thread_.join();
}

void WriterThread::push(Item item) {
    const auto haste = item.haste;
    auto record = writer_.record(std::move(item), synced_);
    {
        const std::lock_guard lock{mutex_};
        hurry_ = hurry_ || haste == Haste::now;
        if (queue_.empty() || queue_.back().full()) queue_.emplace_back();
        queue_.back().add(std::move(record));
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
        synced_ = writer_.synced();  // before the report: whoever hears it may push, and that record says so
        if (!results->empty()) {
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
    const auto called = [this] { return abandon_ || finish_ || !queue_.empty(); };
    const auto stirred = [&] { return called() || stirred_; };
    while (!called()) {
        const auto due = writer_.maintenance_due();
        if (due && !wake_.wait_until(lock, *due, stirred)) return Batch{};
        wake_.wait(lock, stirred);
        if (!called()) look_out(lock);
    }
    const auto lingered = std::chrono::steady_clock::now() + linger_;
    wake_.wait_until(lock, lingered, [this] { return abandon_ || finish_ || hurry_ || queue_.size() > 1; });
    if (abandon_ || queue_.empty()) return std::nullopt;
    std::optional batch{std::move(queue_.front())};
    queue_.pop_front();
    hurry_ = !queue_.empty();  // what did not fit in waits no longer
    pushed_ = hurry_;
    stirred_ = false;
    return batch;
}

void WriterThread::look_out(std::unique_lock<std::mutex>& lock) {
    stirred_ = false;
    lock.unlock();
    const auto until = std::chrono::steady_clock::now() + limits::log_stir_max;
    while (!pushed_ && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    lock.lock();
}

bool WriterThread::abandoned() {
    const std::lock_guard lock{mutex_};
    return abandon_;
}

}  // namespace countersign::audit
