// SPDX-License-Identifier: Apache-2.0
#include "net/wait_ready.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

namespace countersign::net {

namespace asio = boost::asio;

asio::awaitable<boost::system::error_code> wait_ready(asio::posix::stream_descriptor& descriptor,
                                                      asio::posix::stream_descriptor::wait_type what, Deadline until) {
    using namespace asio::experimental::awaitable_operators;
    constexpr auto use_tuple = asio::as_tuple(asio::use_awaitable);
    asio::steady_timer deadline{co_await asio::this_coro::executor, until};
    const auto first = co_await (descriptor.async_wait(what, use_tuple) || deadline.async_wait(use_tuple));
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) {
        throw boost::system::system_error{asio::error::operation_aborted};
    }
    if (first.index() == 0) co_return std::get<0>(std::get<0>(first));
    co_return asio::error::timed_out;
}

}  // namespace countersign::net
