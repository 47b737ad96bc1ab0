// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>

namespace countersign::gateway {

// Resolves with the first of two waits and cancels the other. Only for waits that may be cancelled, never for a
// decision. If it is cancelled itself, it throws operation_aborted like any Asio operation.
boost::asio::awaitable<void> first_of(boost::asio::awaitable<void> one, boost::asio::awaitable<void> other);

}  // namespace countersign::gateway
