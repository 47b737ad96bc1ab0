// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/fake_clock.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

namespace countersign::fakes {

namespace asio = boost::asio;

asio::awaitable<void> FakeClock::sleep_until(BootTime when) {
    asio::steady_timer timer{co_await asio::this_coro::executor, asio::steady_timer::time_point::max()};
    const auto self = sleepers_.insert(sleepers_.end(), {when, &timer});
    boost::system::error_code ignored;
    // The timer never fires by itself: advance() cancels it when it is due, and a task group cancels it at the end.
    if (boot_ < when) co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    sleepers_.erase(self);
    if (boot_ < when) throw boost::system::system_error{asio::error::operation_aborted};
}

void FakeClock::advance(std::chrono::milliseconds by) {
    boot_ += by;
    wall_ += by;
    for (const auto& sleeper : sleepers_) {
        if (sleeper.when <= boot_) sleeper.timer->cancel();
    }
}

}  // namespace countersign::fakes
