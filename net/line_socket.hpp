// SPDX-License-Identifier: Apache-2.0
// Connects to an agent on this machine that sends lines: on a unix socket, or on TCP at a loopback address.
#pragma once

#include "net/descriptor_bytes.hpp"
#include "net/message_stream.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>

namespace countersign::net {

struct UnixAddress {
    std::string path;
};
// A literal address such as "127.0.0.1" or "::1": a name would have to be resolved and could lead elsewhere.
struct LoopbackAddress {
    std::string host;
    std::uint16_t port = 0;
};
using LocalAddress = std::variant<UnixAddress, LoopbackAddress>;

struct LineSocketOptions {
    std::chrono::milliseconds connect_max = limits::stream_connect_max;
    std::size_t message_bytes_max = limits::stream_message_bytes_max;
    DescriptorOptions descriptors = {};
};

// Errc::away: nothing listens there. Errc::unsupported: an address outside this machine.
boost::asio::awaitable<Result<std::unique_ptr<MessageStream>>>
connect_lines(boost::asio::any_io_executor executor, LocalAddress address, LineSocketOptions options = {});

}  // namespace countersign::net
