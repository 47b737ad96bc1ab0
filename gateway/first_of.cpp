// SPDX-License-Identifier: Apache-2.0
#include "gateway/first_of.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/multiple_exceptions.hpp>
#include <boost/system/system_error.hpp>

#include <utility>

namespace countersign::gateway {

namespace asio = boost::asio;

asio::awaitable<void> first_of(asio::awaitable<void> one, asio::awaitable<void> other) {
    using namespace asio::experimental::awaitable_operators;
    try {
        co_await (std::move(one) || std::move(other));
    } catch (const asio::multiple_exceptions&) {
        // Both waits were cancelled from outside. A task group accepts this exception as the normal end of a task.
        throw boost::system::system_error{asio::error::operation_aborted};
    }
}

}  // namespace countersign::gateway
