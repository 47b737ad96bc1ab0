// SPDX-License-Identifier: Apache-2.0
// Alarm: one sleeping task for the wake-up times of many requests, because a task per request would cost more than the
// request itself.
//
// Keeps the times in order and sleeps until the first. Each due request is handled in a task of its own, ordered by
// time and then by age, so that a failure of one request doesn't affect the others. Without a wake-up time there is no
// task.
#pragma once

#include "core/hub/task_group.hpp"
#include "core/ports/clock.hpp"
#include "core/ulid.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <optional>
#include <set>
#include <utility>

namespace countersign {

class Alarm {
public:
    // Borrows the first two. `due` creates the task to run when a request's time has come.
    Alarm(TaskGroup& tasks, Clock& clock, std::function<boost::asio::awaitable<void>(Ulid)> due);
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

    // Changes the time of a request, which has at most one. `from` is the previous time, which the caller must keep; it
    // may have passed already.
    void move(const Ulid& id, std::optional<BootTime> from, std::optional<BootTime> to);
    // Drops all times.
    void clear();
    [[nodiscard]] std::size_t size() const { return moments_.size(); }

private:
    boost::asio::awaitable<void> ring();
    void sleep_until_first();

    TaskGroup& tasks_;
    Clock& clock_;
    std::function<boost::asio::awaitable<void>(Ulid)> due_;
    std::set<std::pair<BootTime, Ulid>> moments_;
    TaskGroup::Handle sleeper_;
    BootTime sleeps_until_ = BootTime::max();  // max: there is no sleeper
};

}  // namespace countersign
