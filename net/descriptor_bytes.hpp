// SPDX-License-Identifier: Apache-2.0
// DescriptorBytes: a ByteStream on two descriptors, e.g. our own stdin and stdout, or a connected socket.
#pragma once

#include "core/limits.hpp"
#include "net/byte_stream.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace countersign::net {

struct DescriptorOptions {
    std::string peer = "the peer";  // the peer's name in errors
    std::chrono::milliseconds write_max = limits::stream_write_max;
    std::size_t outgoing_bytes_max = limits::stream_outgoing_bytes_max;
};

// Works on duplicates and leaves `in` and `out` to the caller; they may be the same. A pipe's blocking mode is shared
// by all processes that have it, so the original mode is restored at the end.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> descriptor_bytes(const boost::asio::any_io_executor& executor, int in,
                                                                   int out, DescriptorOptions options = {});

}  // namespace countersign::net
