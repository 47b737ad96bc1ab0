// SPDX-License-Identifier: Apache-2.0
// WriterThread: the one thread that writes records while a hub runs. Everything that arrived while the last
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
        std::vector<Result<Receipt>> results;  // receipts without root and size, which the checkpoint has
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

    // The order of the calls is that of the records. All of them from one thread, the owner's, as finish() is.
    void push(Item item);
    // A record that somebody waits for is about to be pushed: the thread looks out for it, for log_stir_max, instead of
    // being woken then.
    void stir();
    // Those whom a report answers are told while it lives, on the owner's thread, and what they push goes over some at
    // a time. The writer outlives it.
    class Answering {
    public:
        explicit Answering(WriterThread& writer) : writer_{writer} { writer_.telling_ = true; }
        Answering(const Answering&) = delete;
        Answering& operator=(const Answering&) = delete;
        ~Answering() { writer_.answered(); }

    private:
        WriterThread& writer_;
    };
    // When everything pushed so far is written, finishes the log.
    void finish();
    // Writes nothing more.
    void abandon();

private:
    void hand_over();
    void answered();
    void run();
    [[nodiscard]] std::optional<Batch> gather();
    void look_out(std::unique_lock<std::mutex>& lock);
    void await_answered(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] Batch fill(std::unique_lock<std::mutex>& lock);
    void take_queue();
    void place_next(Batch& batch);
    [[nodiscard]] bool all_placed() const { return placed_ == taken_.size(); }
    [[nodiscard]] bool abandoned();

    BatchWriter writer_;
    std::chrono::milliseconds linger_;
    std::function<void(Report)> report_;
    std::string boot_id_;

    // Of the owner's thread. What both threads touch travels between their processors, and memory that one takes from
    // the heap and the other gives back makes both wait there; so several drafts go over at once, and their memory
    // comes back.
    std::vector<DraftedItem> held_;   // pushed, and not in the queue yet
    bool held_hurry_ = false;         // somebody waits for one of them
    bool telling_ = false;            // more may come at once
    std::vector<std::string> rooms_;  // memory for the next ones

    // Of the thread itself.
    std::vector<DraftedItem> taken_;    // out of the queue; those
    std::size_t placed_ = 0;            // before this one are in a batch
    std::vector<std::string> emptied_;  // memory of theirs
    std::chrono::steady_clock::time_point answered_by_{};

    // Of both.
    std::atomic<bool> pushed_ = false;     // something is in the queue,
    std::atomic<bool> hurry_ = false;      // and somebody waits for it
    std::atomic<bool> answering_ = false;  // those who waited for the last batch are being told
    std::mutex mutex_;                     // guards the six below
    std::vector<DraftedItem> queue_;
    std::vector<std::string> returned_;
    std::size_t queued_bytes_ = 0;
    bool stirred_ = false;
    bool finish_ = false;
    bool abandon_ = false;
    std::condition_variable wake_;
    std::thread thread_;  // the last member: it uses all others
};

}  // namespace countersign::audit
