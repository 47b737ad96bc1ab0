// SPDX-License-Identifier: Apache-2.0
#include "channels/handling.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <utility>

namespace countersign::channels {

namespace asio = boost::asio;

struct Handling::State {
    explicit State(asio::any_io_executor executor) : done{std::move(executor), asio::steady_timer::time_point::max()} {}
    std::size_t left = 0;
    asio::steady_timer done;  // cancelled when nothing is left
};

Handling::Handling(asio::any_io_executor executor) : state_{std::make_shared<State>(std::move(executor))} {}

Handled Handling::one_more() {
    ++state_->left;
    return [state = state_] {
        if (--state->left == 0) state->done.cancel();
    };
}

asio::awaitable<void> Handling::all_handled(Clock& clock, std::chrono::milliseconds longest) const {
    using namespace asio::experimental::awaitable_operators;
    const auto state = state_;
    if (state->left == 0) co_return;
    boost::system::error_code ignored;
    co_await (state->done.async_wait(asio::redirect_error(asio::use_awaitable, ignored)) ||
              clock.sleep_until(clock.boot() + longest));
    // Ended is not handled: whoever goes on would confirm what was not.
    const auto ended = co_await asio::this_coro::cancellation_state;
    if (ended.cancelled() != asio::cancellation_type::none) {
        throw boost::system::system_error{asio::error::operation_aborted};
    }
}

}  // namespace countersign::channels
