// SPDX-License-Identifier: Apache-2.0
#include "app/system_clock.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <ctime>

namespace countersign::app {

namespace asio = boost::asio;

WallTime SystemClock::wall() const {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

BootTime SystemClock::boot() const {
    timespec now{};
    (void)::clock_gettime(CLOCK_BOOTTIME, &now);  // cannot fail for this clock
    return BootTime{std::chrono::seconds{now.tv_sec} + std::chrono::milliseconds{now.tv_nsec / 1'000'000}};
}

// Asio's timer stops while the machine is suspended, boot time does not. So a deadline that passed during a suspend is
// noticed at most one slice after the machine wakes.
asio::awaitable<void> SystemClock::sleep_until(BootTime when) {
    constexpr std::chrono::milliseconds slice = std::chrono::seconds{10};
    asio::steady_timer timer{co_await asio::this_coro::executor};
    for (auto left = when - boot(); left.count() > 0; left = when - boot()) {
        timer.expires_after(std::min(left, slice));
        co_await timer.async_wait(asio::use_awaitable);
    }
}

}  // namespace countersign::app
