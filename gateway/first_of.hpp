// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>

namespace countersign::gateway {

// Resolves with the first of two waits and cancels the other: only for what may be cancelled, never for a decision.
// When it is cancelled itself, it ends as every Asio operation does.
boost::asio::awaitable<void> first_of(boost::asio::awaitable<void> one, boost::asio::awaitable<void> other);

}  // namespace countersign::gateway
