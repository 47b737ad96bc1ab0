// SPDX-License-Identifier: Apache-2.0
// A clock moved by hand: a week passes in a second, and two runs see the same times.
#pragma once

#include "core/ports/clock.hpp"

#include <boost/asio/steady_timer.hpp>

#include <list>

namespace countersign::fakes {

class FakeClock final : public Clock {
public:
    [[nodiscard]] WallTime wall() const override { return wall_; }
    [[nodiscard]] BootTime boot() const override { return boot_; }
    boost::asio::awaitable<void> sleep_until(BootTime when) override;

    // Moves both times and wakes every sleeper that is due; they run when the executor next runs.
    void advance(std::chrono::milliseconds by);
    // Moves only the wall clock, as an operator or NTP does.
    void set_wall(WallTime wall) { wall_ = wall; }
    [[nodiscard]] std::size_t sleepers() const { return sleepers_.size(); }

private:
    struct Sleeper {
        BootTime when;
        boost::asio::steady_timer* timer;
    };
    WallTime wall_{std::chrono::milliseconds{1'763'258'400'000}};  // 2025-11-16T02:00:00Z
    BootTime boot_{std::chrono::milliseconds{1'000'000}};
    std::list<Sleeper> sleepers_;
};

}  // namespace countersign::fakes
