// SPDX-License-Identifier: Apache-2.0
// WriterThread: the one thread that touches the log's files while a hub runs. Everything that arrived while the last
// batch was on its way goes out in the next. Records that nobody waits for linger a moment, to go along with one that
// somebody does: a sync for them alone would stand in the way of the next decision.
//
// Whoever pushes drafts the record; the thread gives it its place, signs, writes and syncs. What is pushed while it
// gives out places goes along. Values go in and reports come out; no handler and no coroutine is ever touched by it.
#pragma once

#include "audit/batch_writer.hpp"
#include "core/ports/ledger.hpp"
#include "core/result.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace countersign::audit {

class WriterThread {
public:
    // What became of the items, in the order in which they came.
    struct Report {
        std::vector<Result<Receipt>> results;
        std::optional<Checkpoint> checkpoint;  // that covers them
        std::optional<Error> failure;  // of the disk: nothing after the results counts, and the thread has ended
        bool finished = false;         // finish() is done, and the thread has ended
    };
    // `report` is called on the thread, for each batch; it must not block.
    WriterThread(BatchWriter writer, std::chrono::milliseconds linger, std::function<void(Report)> report);
    WriterThread(const WriterThread&) = delete;
    WriterThread& operator=(const WriterThread&) = delete;
    // Waits for the call that is under way. One that hangs is waited for without end: whoever knows of it does not get
    // here, but ends the process.
    ~WriterThread();

    // The order of the calls is that of the records.
    void push(Item item);
    // A record is about to be pushed: the thread looks out for it, for log_stir_max, instead of being woken then.
    void stir();
    // Whoever a report answers has been told, and has pushed what he had to say.
    void answered() { answering_ = false; }
    // When everything pushed so far is written, finishes the log.
    void finish();
    // Writes nothing more.
    void abandon();

private:
    void run();
    [[nodiscard]] std::optional<Batch> gather();
    void look_out(std::unique_lock<std::mutex>& lock);
    void await_answered(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] Batch fill(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] bool abandoned();

    BatchWriter writer_;
    std::chrono::milliseconds linger_;
    std::function<void(Report)> report_;
    std::string boot_id_;
    std::deque<DraftedItem> taken_;        // out of the queue, by the thread, and in no batch yet
    std::atomic<bool> pushed_ = false;     // something is in the queue
    std::atomic<bool> answering_ = false;  // those who waited for the last batch are being told
    std::chrono::steady_clock::time_point answered_by_{};
    std::mutex mutex_;  // guards the six below
    std::deque<DraftedItem> queue_;
    std::size_t queued_bytes_ = 0;
    bool hurry_ = false;  // somebody waits for one of the records
    bool stirred_ = false;
    bool finish_ = false;
    bool abandon_ = false;
    std::condition_variable wake_;
    std::thread thread_;  // the last member: it uses all others
};

}  // namespace countersign::audit
