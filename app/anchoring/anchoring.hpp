// SPDX-License-Identifier: Apache-2.0
// Anchoring: shows the log's checkpoints to chats and witnesses, each at its own rhythm. Runs on the owner's thread; no
// decision ever waits for it.
#pragma once

#include "app/anchoring/checkpoint_observer.hpp"
#include "audit/anchor_due.hpp"
#include "core/hub/task_group.hpp"
#include "core/ports/clock.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

namespace countersign::app {

class Anchoring {
public:
    // The current checkpoint, and how much has happened.
    struct Source {
        std::function<audit::Checkpoint()> checkpoint;
        std::function<std::uint64_t()> happened;
    };
    // Borrows the clock.
    Anchoring(boost::asio::any_io_executor executor, Clock& clock, Source source,
              std::function<void(const std::string&)> stray);

    // `last`: when this observer last saw a checkpoint before this start, if ever.
    void add(std::unique_ptr<CheckpointObserver> outsider, AnchorRhythm rhythm, std::optional<WallTime> last);
    // Shows the checkpoint to all observers that are due. Call it at the start and whenever the log was written.
    void look();
    // Shows nothing more and waits for running work, for at most anchoring_stop_max. Errc::timeout: it hangs in the
    // disk, and only _exit ends the process.
    boost::asio::awaitable<Result<void>> stop();
    // Call it after stop(), once the log is closed. Shows the final checkpoint to all observers that can still see it,
    // in parallel and for at most last_checkpoint_max. Returns how many did not take it. Call stop() again for work
    // that still runs.
    boost::asio::awaitable<std::size_t> show_last();

private:
    struct Kept {
        std::unique_ptr<CheckpointObserver> outsider;
        audit::AnchorDue due;
        bool busy = false;   // a checkpoint is being shown to it
        bool shown = false;  // it took the last checkpoint shown to it
    };
    boost::asio::awaitable<void> show(Kept& to, std::uint64_t happened);
    void wake_at(std::optional<BootTime> moment);
    boost::asio::awaitable<void> wake(BootTime moment);

    Clock& clock_;
    Source source_;
    std::list<Kept> outsiders_;
    TaskGroup tasks_;
    TaskGroup::Handle waking_;
    std::optional<BootTime> armed_;  // when the timer calls look()
    bool stopping_ = false;
};

}  // namespace countersign::app
