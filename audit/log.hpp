// SPDX-License-Identifier: Apache-2.0
// Log: the audit log of a running hub. Owned and called by one thread; its writer is another, behind it.
//
// What a resolved append promises: the record, covered by a signed checkpoint, is on disk. A write or sync that failed
// or is overdue poisons the log: what waits and what comes is refused with Errc::unavailable, nothing is tried again,
// and only a new process, which looks at what is really there, writes again (I1).
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
        std::string directory;  // of the log alone; it is made if it is not there
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
    // Recovers the log, closes what died with the last process, writes the start record and starts the writer. Blocks.
    // Errors are recover()'s.
    [[nodiscard]] static Result<std::unique_ptr<Log>> open(Options options);
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;
    // Precondition: close() has resolved, or the executor never runs again. Not after close() said Errc::timeout: the
    // writer hangs in the disk, and only _exit gets past it.
    ~Log();

    // Terminal records have room of their own, one for each request that can be open: a flood of others cannot keep a
    // request from ending.
    enum class Room { ordinary, terminal };
    // Queued before the first suspension, so that records are in the order of the calls. Cannot be cancelled. Also
    // Errc::busy when the queue is full, and too_large, malformed or internal for what is no record; these do no harm
    // to the log.
    boost::asio::awaitable<Result<Receipt>> append(LogEntry entry, Room room = Room::ordinary,
                                                   Haste haste = Haste::now);

    // A record that somebody waits for is about to come. The writer is woken before it does: to wake a thread takes as
    // long as to make the record.
    void expect();

    // From now on, a time in which nothing was written ends with a `heartbeat`: silence is signed too, and a log that
    // was stopped without a word shows it by its age.
    static constexpr std::chrono::minutes heartbeat_interval{15};
    void beat(std::chrono::milliseconds interval = heartbeat_interval);

    // Writes what waits, the stop record and the checkpoint file, and ends the writer. Appends are refused from now on.
    boost::asio::awaitable<Result<void>> close();

    // The latest checkpoint that is on disk. Later ones may be already, without our knowing.
    [[nodiscard]] const Checkpoint& checkpoint() const { return checkpoint_; }
    // How many records it covers that were written since the start and say that something happened: heartbeats and
    // anchors do not, or an idle log would be anchored for ever because it was anchored.
    [[nodiscard]] std::uint64_t happened() const { return happened_; }
    // Called on the owner's executor after both of these changed.
    void on_written(std::function<void()> handler) { on_written_ = std::move(handler); }

    [[nodiscard]] Result<void> health() const;
    // A request was refused because health() is bad: the next process says so too. Blocks for a moment.
    void note_unlogged(const Ulid& request);
    // Called once, when the first of them could not be noted: the next process will call it lost.
    void on_forgotten(std::function<void(const Error&)> handler) { on_forgotten_ = std::move(handler); }
    // Each is called on the owner's executor, once, with what health() says; also if it happened before.
    void on_poisoned(std::function<void(const Error&)> handler);
    // What recovery cut off at the start, if anything.
    [[nodiscard]] const std::optional<Tail>& removed() const { return removed_; }
    // The state of the log when it was opened, with what this opening ended.
    [[nodiscard]] const Replayed& earlier() const { return earlier_; }

private:
    // Somebody who waits for one result of the writer.
    struct Waiter {
        virtual ~Waiter() = default;
        bool happened = false;  // something that happened waits for this
        virtual void answer(Result<Receipt> result) = 0;
    };
    template <class Handler> struct WaiterFor;

    Log(Options& options, BatchWriter writer, std::optional<Tail> removed, Replayed earlier);
    // Without a room, also into a log that is full or being closed.
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
    std::deque<std::unique_ptr<Waiter>> waiting_;  // in the order of the writer's results
    std::uint64_t answered_ = 0;
    std::optional<Error> poison_;
    std::vector<std::function<void(const Error&)>> on_poisoned_;
    std::function<void(const Error&)> on_forgotten_;
    bool closing_ = false;
    bool watching_ = false;
    bool awake_ = false;
    TaskGroup tasks_;
    std::shared_ptr<Log*> alive_;  // reports that arrive after our end find it gone
    WriterThread writer_;          // last: ends before what it reports to
};

}  // namespace countersign::audit
