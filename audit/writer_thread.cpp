// SPDX-License-Identifier: Apache-2.0
#include "audit/writer_thread.hpp"

#include <utility>

namespace countersign::audit {

WriterThread::WriterThread(BatchWriter writer, std::chrono::milliseconds linger, std::function<void(Report)> report)
    : writer_{std::move(writer)}, linger_{linger}, report_{std::move(report)}, thread_{[this] { run(); }} {}

WriterThread::~WriterThread() {
    abandon();
    thread_.join();
}

void WriterThread::push(Item item) {
    {
        const std::lock_guard lock{mutex_};
        hurry_ = hurry_ || item.haste == Haste::now;
        queue_.push_back(std::move(item));
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
    std::deque<Item> items;
    for (;;) {
        const auto more = gather(items);
        if (!more) return failed(more.error());
        if (!*more) break;
        auto results = writer_.commit();
        if (!results) return failed(results.error());
        report_({.results = std::move(*results), .checkpoint = writer_.checkpoint(), .failure = {}});
        if (abandoned()) return;
        if (const auto maintained = writer_.maintain(); !maintained) return failed(maintained.error());
    }
    if (abandoned()) return;
    if (const auto finished = writer_.finish(); !finished) return failed(finished.error());
    report_({.results = {}, .checkpoint = {}, .failure = {}, .finished = true});
}

// Stages what comes until it is time to write it: somebody waits, the batch is full, or the first has lingered. False
// when there is nothing left to write, ever.
Result<bool> WriterThread::gather(std::deque<Item>& items) {
    std::optional<std::chrono::steady_clock::time_point> due;
    for (bool now = false; !now;) {
        now = !items.empty() || take(items, due);
        if (abandoned()) return false;
        if (auto staged = writer_.stage(items); !staged) return staged.error();
        if (!due) due = std::chrono::steady_clock::now() + linger_;
    }
    return writer_.has_staged();
}

// Waits for items, until `due` at the latest. True: what there is should go out now.
bool WriterThread::take(std::deque<Item>& items, std::optional<std::chrono::steady_clock::time_point> due) {
    std::unique_lock lock{mutex_};
    const auto awaited = [&] { return abandon_ || finish_ || !queue_.empty(); };
    const bool in_time = !due || wake_.wait_until(lock, *due, awaited);
    if (!due) wake_.wait(lock, awaited);
    std::swap(items, queue_);
    return std::exchange(hurry_, false) || finish_ || abandon_ || !in_time;
}

bool WriterThread::abandoned() {
    const std::lock_guard lock{mutex_};
    return abandon_;
}

}  // namespace countersign::audit
