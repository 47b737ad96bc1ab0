// SPDX-License-Identifier: Apache-2.0
// WriterThread: the one thread that writes records while a hub runs. Everything that arrives while a batch is being
// written goes into the next one. Records that no caller waits for linger a moment, to share a sync with one that a
// caller waits for: their own sync would delay the next decision.
//
// The caller drafts the record; the thread assigns its sequence fields, signs, writes and syncs. Records pushed
// meanwhile join the same batch. Values go in and reports come out; the thread never touches a handler or a coroutine.
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
    // The results of the items, in the order in which they were pushed.
    struct Report {
        std::vector<Result<Receipt>> results;  // receipts without root and size, which the checkpoint has
        std::optional<Checkpoint> checkpoint;  // covers these results
        std::optional<Error> failure;          // of the disk: no later item is written, and the thread has ended
        bool finished = false;                 // finish() is done and the thread has ended
    };
    // `report` is called on the thread, once for each batch; it must not block.
    WriterThread(BatchWriter writer, std::chrono::milliseconds linger, std::function<void(Report)> report);
    WriterThread(const WriterThread&) = delete;
    WriterThread& operator=(const WriterThread&) = delete;
    // Waits for the disk call in progress. May block forever if the disk hangs; call `_exit` instead of destroying
    // this.
    ~WriterThread();

    // Records are written in call order. Only the owner's thread calls this and finish().
    void push(Item item);
    // Announces a record that a caller will wait for: the thread watches for it, for at most log_stir_max, instead of
    // sleeping until it is pushed.
    void stir();
    // Keep one alive on the owner's thread while the waiters of a report are told. Records that they push meanwhile are
    // handed over several at a time. Borrows the writer.
    class Answering {
    public:
        explicit Answering(WriterThread& writer) : writer_{writer} { writer_.telling_ = true; }
        Answering(const Answering&) = delete;
        Answering& operator=(const Answering&) = delete;
        ~Answering() { writer_.answered(); }

    private:
        WriterThread& writer_;
    };
    // Finishes the log once everything pushed so far is written.
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

    // Owner's thread only. Data that both threads touch moves between their processors, and both wait when one
    // allocates memory that the other frees. So several drafts are handed over at once, and their memory comes back.
    std::vector<DraftedItem> held_;   // pushed, but not in the queue yet
    bool held_hurry_ = false;         // a caller waits for one of them
    bool telling_ = false;            // an Answering is alive: more may be pushed at once
    std::vector<std::string> rooms_;  // memory to reuse for the next drafts

    // Writer thread only.
    std::vector<DraftedItem> taken_;    // taken from the queue
    std::size_t placed_ = 0;            // how many of them are in a batch
    std::vector<std::string> emptied_;  // memory of placed drafts
    std::chrono::steady_clock::time_point answered_by_{};

    // Shared.
    std::atomic<bool> pushed_ = false;     // something is in the queue
    std::atomic<bool> hurry_ = false;      // and a caller waits for it
    std::atomic<bool> answering_ = false;  // the waiters of the last batch are being told
    std::mutex mutex_;                     // guards the six members below
    std::vector<DraftedItem> queue_;
    std::vector<std::string> returned_;
    std::size_t queued_bytes_ = 0;
    bool stirred_ = false;
    bool finish_ = false;
    bool abandon_ = false;
    std::condition_variable wake_;
    std::thread thread_;  // last: it uses all other members
};

}  // namespace countersign::audit
