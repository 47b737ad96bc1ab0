// SPDX-License-Identifier: Apache-2.0
// Alarm: one sleeper for the moments of many requests, because a task for each costs more than the request itself.
//
// Keeps the moments in order and sleeps until the first. What has its moment is done in a task of its own, in the order
// of the moments and then of age, so that what fails for one request is nothing to the others. While there is no
// moment there is no task.
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
    // Borrows the first two. `due` makes what is to be done when the moment of this request has come.
    Alarm(TaskGroup& tasks, Clock& clock, std::function<boost::asio::awaitable<void>(Ulid)> due);
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

    // A request has one moment or none. `from` is what it was given last, which whoever owns the request keeps; it may
    // have come already.
    void move(const Ulid& id, std::optional<BootTime> from, std::optional<BootTime> to);
    // No moment comes any more, of those that were given.
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
