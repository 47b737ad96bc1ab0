// SPDX-License-Identifier: Apache-2.0
#include "app/anchoring/anchoring.hpp"

#include "core/limits.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>

#include <algorithm>
#include <utility>

namespace countersign::app {

namespace asio = boost::asio;

namespace {

// A time before the start is only known as wall time. One in the future is treated as now.
BootTime as_boot(WallTime then, const Clock& clock) {
    const auto ago = std::max(clock.wall() - then, std::chrono::milliseconds{0});
    return clock.boot() - ago;
}

struct Busy {
    bool& flag;
    explicit Busy(bool& of) : flag{of} { flag = true; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    ~Busy() { flag = false; }
};

}  // namespace

Anchoring::Anchoring(asio::any_io_executor executor, Clock& clock, Source source,
                     std::function<void(const std::string&)> stray)
    : clock_{clock}, source_{std::move(source)}, tasks_{std::move(executor), std::move(stray)} {}

void Anchoring::add(std::unique_ptr<CheckpointObserver> outsider, AnchorRhythm rhythm, std::optional<WallTime> last) {
    std::optional<BootTime> shown;
    if (last) shown = as_boot(*last, clock_);
    outsiders_.push_back({.outsider = std::move(outsider), .due = audit::AnchorDue{rhythm, shown}});
}

void Anchoring::look() {
    if (stopping_) return;
    const auto now = clock_.boot();
    const auto happened = source_.happened();
    std::optional<BootTime> next;
    for (auto& one : outsiders_) {
        if (one.busy) continue;  // show() calls look() when it is done
        if (one.due.due(now, happened)) {
            one.busy = true;
            one.due.tried(now, happened);
            tasks_.spawn(show(one, happened));
        } else if (const auto moment = one.due.next(now, happened)) {
            next = next ? std::min(*next, *moment) : *moment;
        }
    }
    wake_at(next);
}

asio::awaitable<void> Anchoring::show(Kept& to, std::uint64_t happened) {
    to.shown = false;
    {
        const Busy busy{to.busy};
        to.shown = co_await to.outsider->show(source_.checkpoint());
    }
    if (to.shown) to.due.shown(happened);
    look();
}

// One timer for all observers, set to the next time at which one becomes due by time alone.
void Anchoring::wake_at(std::optional<BootTime> moment) {
    if (moment == armed_) return;
    std::exchange(waking_, {}).cancel();
    armed_ = moment;
    if (moment) waking_ = tasks_.spawn(wake(*moment));
}

asio::awaitable<void> Anchoring::wake(BootTime moment) {
    co_await clock_.sleep_until(moment);
    armed_.reset();
    waking_ = {};  // this task, which ends here
    look();
}

asio::awaitable<Result<void>> Anchoring::stop() {
    using namespace asio::experimental::awaitable_operators;
    stopping_ = true;
    tasks_.cancel();
    const auto ended = co_await (tasks_.join() || clock_.sleep_until(clock_.boot() + limits::anchoring_stop_max));
    if (ended.index() == 0) co_return Result<void>{};
    co_return Error{Errc::timeout, "the disk did not answer a reader of the audit log"};
}

asio::awaitable<std::size_t> Anchoring::show_last() {
    using namespace asio::experimental::awaitable_operators;
    const auto wanted = [](const Kept& one) { return one.outsider->sees_the_end(); };
    for (auto& one : outsiders_) {
        if (wanted(one)) tasks_.spawn(show(one, source_.happened()));
    }
    const auto until = clock_.boot() + limits::last_checkpoint_max;
    co_await (tasks_.join() || clock_.sleep_until(until));
    co_return static_cast<std::size_t>(
        std::ranges::count_if(outsiders_, [&](const Kept& one) { return wanted(one) && !one.shown; }));
}

}  // namespace countersign::app
