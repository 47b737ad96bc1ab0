// SPDX-License-Identifier: Apache-2.0
#include "core/hub/alarm.hpp"

namespace countersign {

namespace asio = boost::asio;

Alarm::Alarm(TaskGroup& tasks, Clock& clock, std::function<asio::awaitable<void>(Ulid)> due)
    : tasks_{tasks}, clock_{clock}, due_{std::move(due)} {}

void Alarm::move(const Ulid& id, std::optional<BootTime> from, std::optional<BootTime> to) {
    if (from) moments_.erase({*from, id});
    if (to) moments_.emplace(*to, id);
    sleep_until_first();
}

void Alarm::clear() {
    moments_.clear();
    sleep_until_first();
}

// A sleeper that wakes too early just sleeps again. So only one that would wake too late is replaced, and the last one
// is cancelled.
void Alarm::sleep_until_first() {
    const auto first = moments_.empty() ? BootTime::max() : moments_.begin()->first;
    if (!moments_.empty() && first >= sleeps_until_) return;
    sleeper_.cancel();
    sleeps_until_ = first;
    if (!moments_.empty()) sleeper_ = tasks_.spawn(ring());
}

asio::awaitable<void> Alarm::ring() {
    while (!moments_.empty()) {
        sleeps_until_ = moments_.begin()->first;
        co_await clock_.sleep_until(sleeps_until_);
        const auto now = clock_.boot();
        while (!moments_.empty() && moments_.begin()->first <= now) {
            const auto id = moments_.begin()->second;
            moments_.erase(moments_.begin());
            tasks_.spawn(due_(id));
        }
    }
    sleeps_until_ = BootTime::max();
}

}  // namespace countersign
