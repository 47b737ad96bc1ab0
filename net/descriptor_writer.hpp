// SPDX-License-Identifier: Apache-2.0
// DescriptorWriter: writes to one pipe or socket, in order, bounded, with a deadline for each write.
#pragma once

#include "net/write_queue.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <chrono>
#include <string>

namespace countersign::net {

class DescriptorWriter {
public:
    struct Options {
        std::string peer;  // the reader's name in errors, e.g. "the agent"
        std::chrono::milliseconds write_max;
        std::size_t bytes_max;  // of all waiting and running writes
    };
    // Takes ownership of the descriptor.
    DescriptorWriter(const boost::asio::any_io_executor& executor, int descriptor, Options options);
    DescriptorWriter(const DescriptorWriter&) = delete;
    DescriptorWriter& operator=(const DescriptorWriter&) = delete;
    ~DescriptorWriter();
    // See MessageStream::write.
    boost::asio::awaitable<Result<void>> write(std::string bytes);
    // Restores the original blocking mode, because all processes that have a pipe share its mode.
    void close();

private:
    Options options_;
    boost::asio::posix::stream_descriptor descriptor_;
    int flags_;
    WriteQueue queue_;
};

}  // namespace countersign::net
