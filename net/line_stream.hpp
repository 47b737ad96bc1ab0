// SPDX-License-Identifier: Apache-2.0
// LineStream: one message per line, ended by LF or CRLF, as JSON-RPC agents use on pipes and sockets. Empty lines are
// skipped. A line over `message_bytes_max` is reported as one error, and reading continues with the next line. A line
// cut off by the end of the stream is not a message.
#pragma once

#include "core/limits.hpp"
#include "net/byte_stream.hpp"
#include "net/line_framing.hpp"
#include "net/message_stream.hpp"

#include <memory>
#include <string>

namespace countersign::net {

class LineStream final : public MessageStream {
public:
    explicit LineStream(std::unique_ptr<ByteStream> bytes,
                        std::size_t message_bytes_max = limits::stream_message_bytes_max);

    boost::asio::awaitable<Result<std::string>> read() override;
    // Errc::malformed if the message contains a line break: the peer would read two messages.
    boost::asio::awaitable<Result<void>> write(std::string message) override;
    void close() override;

private:
    std::unique_ptr<ByteStream> bytes_;
    std::size_t message_bytes_max_;
    LineFraming framing_;
    bool closed_ = false;
};

}  // namespace countersign::net
