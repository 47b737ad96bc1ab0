// SPDX-License-Identifier: Apache-2.0
// DescriptorWriter: writes to one pipe or socket, in order, bounded, each write under a deadline.
#pragma once

#include "net/write_queue.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <chrono>
#include <string>

namespace countersign::net {

class DescriptorWriter {
public:
    struct Options {
        std::string peer;  // who reads, as errors name it: "the agent"
        std::chrono::milliseconds write_max;
        std::size_t bytes_max;  // that wait, those of the write under way included
    };
    // Takes over the descriptor.
    DescriptorWriter(const boost::asio::any_io_executor& executor, int descriptor, Options options);
    DescriptorWriter(const DescriptorWriter&) = delete;
    DescriptorWriter& operator=(const DescriptorWriter&) = delete;
    ~DescriptorWriter();
    // As MessageStream::write.
    boost::asio::awaitable<Result<void>> write(std::string bytes);
    // Restores the blocking mode that was found: a pipe shares it with every process that holds it.
    void close();

private:
    Options options_;
    boost::asio::posix::stream_descriptor descriptor_;
    int flags_;
    WriteQueue queue_;
};

}  // namespace countersign::net
