// SPDX-License-Identifier: Apache-2.0
// LineStream: one message a line, ended by LF or CRLF, as JSON-RPC agents speak on pipes and sockets. Empty lines are
// passed over. A line past the bound is one error, and the next line is read as if nothing had happened. A line that
// the end of the stream cuts is not a message.
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
    // Errc::malformed: a message with a line break in it would be two.
    boost::asio::awaitable<Result<void>> write(std::string message) override;
    void close() override;

private:
    std::unique_ptr<ByteStream> bytes_;
    std::size_t message_bytes_max_;
    LineFraming framing_;
    bool closed_ = false;
};

}  // namespace countersign::net
