// SPDX-License-Identifier: Apache-2.0
#include "audit/writer_thread.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <utility>

namespace countersign::audit {
namespace {

// What goes over to the thread at once. It places some while the next are made: the fewer, the less is left to place
// after the last.
constexpr std::size_t held_max = 8;

// Memory that is kept for the next records.
constexpr std::size_t rooms_max = 256;
constexpr std::size_t room_bytes_max = 4096;
constexpr std::size_t record_bytes_of_most = 640;

// What another processor wrote last comes over line by line. Asked for early, it comes while something else is done.
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

// Waits until it is time to write something: somebody waits, a batch is full, or the first record has lingered. An
// empty batch when the files want to be looked after, and nothing when there is nothing left to write, ever.
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

// Until nothing more is there or nothing more goes in. What did not go in waits no longer.
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
    if (hurry_) stirred_ = false;  // that is the one it was to look out for
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
