// SPDX-License-Identifier: Apache-2.0
// Anchoring: shows the log's checkpoints to outsiders, each in its own rhythm. On the owner's thread; no decision ever
// waits for it.
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
    // What there is to show, and how much has happened.
    struct Source {
        std::function<audit::Checkpoint()> checkpoint;
        std::function<std::uint64_t()> happened;
    };
    // Borrows the clock.
    Anchoring(boost::asio::any_io_executor executor, Clock& clock, Source source,
              std::function<void(const std::string&)> stray);

    // `last`: when it saw one before this start, if ever.
    void add(std::unique_ptr<CheckpointObserver> outsider, AnchorRhythm rhythm, std::optional<WallTime> last);
    // Whoever is due is shown the checkpoint. At the start, and whenever the log was written.
    void look();
    // Shows nothing more, and waits for what is under way, anchoring_stop_max at most. Errc::timeout: it hangs in the
    // disk, and only _exit gets past it.
    boost::asio::awaitable<Result<void>> stop();
    // After stop(), when the log is closed: its last checkpoint, which covers all of it, goes to those who can still
    // see it, to all at once and for last_checkpoint_max at most. Returns how many of them did not take it. What then
    // still runs is for another stop().
    boost::asio::awaitable<std::size_t> show_last();

private:
    struct Kept {
        std::unique_ptr<CheckpointObserver> outsider;
        audit::AnchorDue due;
        bool busy = false;   // it is being shown one
        bool shown = false;  // it took the latest that it was shown
    };
    boost::asio::awaitable<void> show(Kept& to, std::uint64_t happened);
    void wake_at(std::optional<BootTime> moment);
    boost::asio::awaitable<void> wake(BootTime moment);

    Clock& clock_;
    Source source_;
    std::list<Kept> outsiders_;
    TaskGroup tasks_;
    TaskGroup::Handle waking_;
    std::optional<BootTime> armed_;  // when it looks again by itself
    bool stopping_ = false;
};

}  // namespace countersign::app
