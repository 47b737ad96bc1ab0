// SPDX-License-Identifier: Apache-2.0
#include "net/line_stream.hpp"

namespace countersign::net {

namespace asio = boost::asio;

namespace {

Error too_long(std::size_t bytes, std::size_t max) {
    return {Errc::too_large,
            "a message of " + std::to_string(bytes) + " bytes, at most " + std::to_string(max) + " are taken"};
}

Error closed_here() { return {Errc::unavailable, "the stream was closed on this side"}; }

}  // namespace

// The CR of a CRLF is not part of the bounded length.
LineStream::LineStream(std::unique_ptr<ByteStream> bytes, std::size_t message_bytes_max)
    : bytes_{std::move(bytes)}, message_bytes_max_{message_bytes_max}, framing_{message_bytes_max + 1} {}

asio::awaitable<Result<std::string>> LineStream::read() {
    for (;;) {
        if (closed_) co_return closed_here();
        if (auto line = framing_.pop()) {
            if (line->text.ends_with('\r')) line->text.pop_back();
            const auto bytes = std::max(line->text.size(), line->bytes_dropped);
            if (bytes > message_bytes_max_) co_return too_long(bytes, message_bytes_max_);
            co_return std::move(line->text);
        }
        const auto bytes = co_await bytes_->read();
        if (!bytes) co_return closed_ ? closed_here() : bytes.error();
        if (!bytes->empty()) {
            framing_.push(*bytes);
        } else if (framing_.within_a_line()) {
            co_return Error{Errc::unavailable, "the stream ended within a message"};
        } else {
            co_return Error{Errc::away, "the peer ended the stream"};
        }
    }
}

asio::awaitable<Result<void>> LineStream::write(std::string message) {
    if (closed_) co_return closed_here();
    if (message.find_first_of("\r\n") != message.npos) {
        co_return Error{Errc::malformed, "a message with a line break cannot be sent as one line"};
    }
    message += '\n';
    co_return co_await bytes_->write(std::move(message));
}

void LineStream::close() {
    closed_ = true;
    bytes_->close();
}

}  // namespace countersign::net
