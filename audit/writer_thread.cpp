// SPDX-License-Identifier: Apache-2.0
#include "audit/writer_thread.hpp"

#include <iterator>

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
    std::deque<Item> items;
    while (wait_for_work(items)) {
        auto results = writer_.commit(items);
        if (!results) return report_({.results = {}, .failure = results.error()});
        report_({.results = std::move(*results), .failure = {}});
        if (abandoned()) return;
        if (const auto maintained = writer_.maintain(); !maintained) {
            return report_({.results = {}, .failure = maintained.error()});
        }
    }
    if (abandoned()) return;
    if (const auto finished = writer_.finish(); !finished) {
        return report_({.results = {}, .failure = finished.error()});
    }
    report_({.results = {}, .failure = {}, .finished = true});
}

// False when there is nothing left to write, ever.
bool WriterThread::wait_for_work(std::deque<Item>& items) {
    std::unique_lock lock{mutex_};
    wake_.wait(lock, [&] { return abandon_ || finish_ || !queue_.empty() || !items.empty(); });
    if (items.empty()) wake_.wait_for(lock, linger_, [&] { return abandon_ || finish_ || hurry_; });
    hurry_ = false;
    std::move(queue_.begin(), queue_.end(), std::back_inserter(items));
    queue_.clear();
    return !abandon_ && !items.empty();
}

bool WriterThread::abandoned() {
    const std::lock_guard lock{mutex_};
    return abandon_;
}

}  // namespace countersign::audit
