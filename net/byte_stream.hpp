// SPDX-License-Identifier: Apache-2.0
// ByteStream: transports the bytes of lines. Cancellation, order, bounds and lifetime are as in MessageStream.
#pragma once

#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <string>

namespace countersign::net {

class Child;

class ByteStream {
public:
    virtual ~ByteStream() = default;
    // Reads some bytes; empty at the end.
    virtual boost::asio::awaitable<Result<std::string>> read() = 0;
    virtual boost::asio::awaitable<Result<void>> write(std::string bytes) = 0;
    virtual void close() = 0;
};

// A child's stdin and stdout. Borrows the child.
[[nodiscard]] std::unique_ptr<ByteStream> child_bytes(Child& child);

}  // namespace countersign::net
