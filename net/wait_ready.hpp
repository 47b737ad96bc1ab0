// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <chrono>

namespace countersign::net {

using Deadline = std::chrono::steady_clock::time_point;

// Resolves without an error when the descriptor is ready, with timed_out if the deadline passes first, and with another
// error if it was closed. Transfers no bytes. If cancelled, it throws.
boost::asio::awaitable<boost::system::error_code> wait_ready(boost::asio::posix::stream_descriptor& descriptor,
                                                             boost::asio::posix::stream_descriptor::wait_type what,
                                                             Deadline until);

}  // namespace countersign::net
