// SPDX-License-Identifier: Apache-2.0
// Log: the audit log of a running hub. One thread owns and calls it; a writer thread behind it does the disk work.
//
// A resolved append promises that the record is on disk and covered by a signed checkpoint. A write or sync that fails
// or is overdue poisons the log: all waiting and later appends fail with Errc::unavailable, and nothing is retried.
// Only a new process, which checks what is really on disk, writes again (I1).
#pragma once

#include "audit/recovery.hpp"
#include "audit/writer_thread.hpp"
#include "core/hub/task_group.hpp"
#include "core/limits.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/ledger.hpp"
#include "core/result.hpp"
#include "security/ed25519.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace countersign::audit {

class Log {
public:
    struct Options {
        std::string directory;  // for the log alone; created if missing
        std::string origin;     // the log's name in its checkpoints
        security::Ed25519SigningKey key;
        std::string boot_id;
        json::Object start;                     // the members of the start record
        Clock& clock;                           // borrowed
        FileSystem& files;                      // borrowed
        boost::asio::any_io_executor executor;  // the owner's
        std::size_t segment_bytes = limits::segment_bytes;
        std::chrono::milliseconds linger = limits::log_linger_max;
        std::chrono::milliseconds checkpoint_pause = limits::checkpoint_pause;
        Errands::On errands = Errands::On::own_thread;
    };
    // Recovers the log, closes requests that died with the last process, writes the start record and starts the writer
    // thread. Blocks. Errors are recover()'s.
    [[nodiscard]] static Result<std::unique_ptr<Log>> open(Options options);
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;
    // Precondition: close() has resolved, or the executor never runs again. Don't destroy it after close() returned
    // Errc::timeout: the writer thread hangs in the disk and only _exit ends the process.
    ~Log();

    // Terminal records have their own room in the queue, one for each request that can be open, so that a flood of
    // other records cannot keep a request from ending.
    enum class Room { ordinary, terminal };
    // Queued before the first suspension, so records are in call order. Cannot be cancelled. Errc::busy if the queue is
    // full; too_large, malformed or internal if the entry cannot become a record. These errors do not harm the log.
    boost::asio::awaitable<Result<Receipt>> append(LogEntry entry, Room room = Room::ordinary,
                                                   Haste haste = Haste::now);

    // Announces a record that a caller will wait for, so that the writer thread wakes early: waking a thread takes as
    // long as making the record.
    void expect();

    // From now on writes a `heartbeat` after each interval without a record. Silence is signed too: a log that was
    // stopped without a `stop` record shows it by its age.
    static constexpr std::chrono::minutes heartbeat_interval{15};
    void beat(std::chrono::milliseconds interval = heartbeat_interval);

    // Writes the waiting records, the stop record and the checkpoint file, and ends the writer thread. Appends are
    // refused from now on.
    boost::asio::awaitable<Result<void>> close();

    // The latest checkpoint known to be on disk. The writer thread may already have written a later one.
    [[nodiscard]] const Checkpoint& checkpoint() const { return checkpoint_; }
    // How many of the covered records were written since the start and report an event. Heartbeats and anchors don't:
    // otherwise each anchor of an idle log would cause the next.
    [[nodiscard]] std::uint64_t happened() const { return happened_; }
    // Called on the owner's executor after both values have changed.
    void on_written(std::function<void()> handler) { on_written_ = std::move(handler); }

    [[nodiscard]] Result<void> health() const;
    // Notes on disk that a request was refused because health() is bad, so that the next process says so too. Blocks
    // briefly.
    void note_unlogged(const Ulid& request);
    // Called once, when such a note first fails: the next process will call that request lost.
    void on_forgotten(std::function<void(const Error&)> handler) { on_forgotten_ = std::move(handler); }
    // Each handler is called once on the owner's executor with health()'s error, even if the log is poisoned already.
    void on_poisoned(std::function<void(const Error&)> handler);
    // The tail that recovery cut off at the start, if any.
    [[nodiscard]] const std::optional<Tail>& removed() const { return removed_; }
    // The state of the log when it was opened, including the requests that this start ended.
    [[nodiscard]] const Replayed& earlier() const { return earlier_; }

private:
    // A caller that waits for one result of the writer thread.
    struct Waiter {
        virtual ~Waiter() = default;
        bool happened = false;  // whether the record reports an event, see Log::happened
        virtual void answer(Result<Receipt> result) = 0;
    };
    template <class Handler> struct WaiterFor;

    Log(Options& options, BatchWriter writer, std::optional<Tail> removed, Replayed earlier);
    // Without a room, also appends to a log that is full or being closed.
    boost::asio::awaitable<Result<Receipt>> enqueue(LogEntry entry, std::optional<Room> room, Haste haste);
    [[nodiscard]] std::optional<Error> refusal(Room room) const;
    boost::asio::awaitable<Result<Receipt>> finish();
    template <class Handler> void line_up(Handler handler, bool happened);
    void reported(WriterThread::Report report);
    void poison(Error why);
    void tell_handler();
    void keep_watch();
    boost::asio::awaitable<void> watch();
    void keep_awake();
    boost::asio::awaitable<void> awake();
    boost::asio::awaitable<void> beating(std::chrono::milliseconds interval);

    FileSystem& files_;
    std::string directory_;
    Clock& clock_;
    boost::asio::any_io_executor executor_;
    Checkpoint checkpoint_;
    std::uint64_t happened_ = 1;  // the start
    std::function<void()> on_written_;
    std::optional<Tail> removed_;
    Replayed earlier_;
    std::deque<std::unique_ptr<Waiter>> waiting_;  // in the order of the writer thread's results
    std::uint64_t answered_ = 0;
    std::optional<Error> poison_;
    std::vector<std::function<void(const Error&)>> on_poisoned_;
    std::function<void(const Error&)> on_forgotten_;
    bool closing_ = false;
    bool watching_ = false;
    bool awake_ = false;
    TaskGroup tasks_;
    std::shared_ptr<Log*> alive_;  // lets reports that arrive after our destruction see that the log is gone
    WriterThread writer_;          // last: ends before the members it reports to
};

}  // namespace countersign::audit
