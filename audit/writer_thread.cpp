// SPDX-License-Identifier: Apache-2.0
#include "audit/writer_thread.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <utility>

namespace countersign::audit {
namespace {

// Drafts handed over at once. The thread places some while the owner makes the next ones; a smaller number leaves fewer
// to place after the last.
constexpr std::size_t held_max = 8;

// Memory kept for later records.
constexpr std::size_t rooms_max = 256;
constexpr std::size_t room_bytes_max = 4096;
constexpr std::size_t record_bytes_of_most = 640;

// Prefetches bytes that another processor wrote last, so that they arrive while this thread does other work.
enum class To { read, write };
template <To to> void ask_for(const char* bytes, std::size_t count) {
    constexpr std::size_t line_bytes = 64;
    for (std::size_t at = 0; at < count; at += line_bytes) __builtin_prefetch(bytes + at, to == To::write ? 1 : 0);
}

}  // namespace

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
    std::string room;
    if (!rooms_.empty()) {
        room = std::move(rooms_.back());
        rooms_.pop_back();
        if (!rooms_.empty())
            ask_for<To::write>(rooms_.back().data(), std::min(rooms_.back().capacity(), record_bytes_of_most));
    }
    held_hurry_ = held_hurry_ || item.haste == Haste::now;
    held_.push_back(draft_item(std::move(item), boot_id_, std::move(room)));
    if (!telling_ || held_.size() >= held_max) hand_over();
}

void WriterThread::hand_over() {
    if (held_.empty()) return;
    {
        const std::lock_guard lock{mutex_};
        hurry_ = hurry_ || held_hurry_;
        for (auto& item : held_) {
            queued_bytes_ += item.draft ? item.draft->json.size() : 0;
            queue_.push_back(std::move(item));
        }
        if (rooms_.empty()) std::swap(rooms_, returned_);
        pushed_ = true;
    }
    held_.clear();
    held_hurry_ = false;
    wake_.notify_one();
}

void WriterThread::answered() {
    telling_ = false;
    hand_over();
    answering_ = false;
}

void WriterThread::stir() {
    {
        const std::lock_guard lock{mutex_};
        if (std::exchange(stirred_, true)) return;
    }
    wake_.notify_one();
}

void WriterThread::finish() {
    hand_over();
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

// Waits until a caller waits for a record, a batch is full, or the first record has lingered. Returns an empty batch
// when maintenance is due, and nothing when the thread must end.
std::optional<Batch> WriterThread::gather() {
    std::unique_lock lock{mutex_};
    await_answered(lock);
    const auto called = [this] { return abandon_ || finish_ || !queue_.empty() || !all_placed(); };
    const auto stirred = [&] { return called() || stirred_; };
    while (!called()) {
        const auto due = writer_.maintenance_due();
        if (due && !wake_.wait_until(lock, *due, stirred)) return Batch{};
        wake_.wait(lock, stirred);
        if (!called()) look_out(lock);
    }
    const auto lingered = std::chrono::steady_clock::now() + linger_;
    const auto enough = [this] {
        return abandon_ || finish_ || hurry_ || !all_placed() || queued_bytes_ >= limits::log_batch_bytes_max;
    };
    const auto enough_or_stirred = [&] { return enough() || stirred_; };
    while (!enough() && std::chrono::steady_clock::now() < lingered) {
        if (wake_.wait_until(lock, lingered, enough_or_stirred) && !enough()) look_out(lock);
    }
    if (abandon_ || (queue_.empty() && all_placed())) return std::nullopt;
    stirred_ = false;
    return fill(lock);
}

// Fills a batch until the queue is empty or the batch is full. Items left over are written next, without lingering.
Batch WriterThread::fill(std::unique_lock<std::mutex>& lock) {
    Batch batch;
    do {
        if (all_placed()) take_queue();
        lock.unlock();
        while (!all_placed() && !batch.full()) place_next(batch);
        lock.lock();
        if (!batch.full()) await_answered(lock);
    } while (!queue_.empty() && !batch.full());
    return batch;
}

void WriterThread::take_queue() {
    taken_.clear();
    placed_ = 0;
    std::swap(taken_, queue_);
    if (returned_.empty()) std::swap(returned_, emptied_);
    queued_bytes_ = 0;
    if (hurry_) stirred_ = false;  // this is the announced record
    hurry_ = false;
    pushed_ = false;
}

void WriterThread::place_next(Batch& batch) {
    auto item = std::move(taken_[placed_++]);
    if (!all_placed() && taken_[placed_].draft) {
        const auto& next = taken_[placed_].draft->json;
        ask_for<To::read>(next.data(), next.size());
    }
    writer_.add(batch, item);
    if (!item.draft || emptied_.size() == rooms_max || item.draft->json.capacity() > room_bytes_max) return;
    emptied_.push_back(std::move(item.draft->json));
}

void WriterThread::look_out(std::unique_lock<std::mutex>& lock) {
    stirred_ = false;
    lock.unlock();
    const auto until = std::chrono::steady_clock::now() + limits::log_stir_max;
    while (!hurry_ && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    lock.lock();
}

// Waiters that are told together often append again together; one sync then covers them all.
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
