// SPDX-License-Identifier: Apache-2.0
#include "sidecar/connection.hpp"

#include "core/limits.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <sys/socket.h>

namespace countersign::sidecar {

namespace asio = boost::asio;

Connection::Connection(asio::local::stream_protocol::socket socket)
    : socket_{std::move(socket)},
      more_{socket_.get_executor(), asio::steady_timer::time_point::max()},
      framing_{limits::sidecar_line_bytes_max},
      written_{socket_.get_executor()} {}

asio::awaitable<Result<Message>> Connection::read() {
    for (;;) {
        if (const auto line = framing_.pop()) {
            if (line->bytes_dropped != 0) co_return Error{Errc::too_large, "a sidecar's line is too long"};
            co_return parse(line->text);
        }
        std::array<char, 16 * 1024> buffer;
        boost::system::error_code failed;
        const auto got =
            co_await socket_.async_read_some(asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, failed));
        if (failed || got == 0) co_return Error{Errc::unavailable, "the other side is gone"};
        framing_.push({buffer.data(), got});
    }
}

Result<void> Connection::write(const Message& message) {
    if (closed_) return Error{Errc::unavailable, "the other side is gone"};
    auto line = print(message) + "\n";
    if (line.size() > limits::sidecar_line_bytes_max) return Error{Errc::too_large, "too long for the hub's socket"};
    if (outgoing_.size() + line.size() > limits::sidecar_outgoing_bytes_max) {
        return Error{Errc::busy, "too much waits for the hub's socket"};
    }
    outgoing_ += line;
    more_.cancel();
    return {};
}

asio::awaitable<void> Connection::run_writer() {
    while (!closed_) {
        boost::system::error_code failed;
        if (outgoing_.empty()) {
            co_await more_.async_wait(asio::redirect_error(asio::use_awaitable, failed));
            continue;
        }
        const auto bytes = std::exchange(outgoing_, {});
        writing_ = true;
        co_await asio::async_write(socket_, asio::buffer(bytes), asio::redirect_error(asio::use_awaitable, failed));
        writing_ = false;
        if (failed) close();
        if (outgoing_.empty()) written_.cancel();
    }
}

asio::awaitable<void> Connection::flush(std::chrono::milliseconds time_max) {
    if (closed_ || (outgoing_.empty() && !writing_)) co_return;
    boost::system::error_code ignored;
    written_.expires_after(time_max);
    co_await written_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

void Connection::close() {
    closed_ = true;
    boost::system::error_code ignored;
    socket_.close(ignored);  // NOLINT(bugprone-unused-return-value): it is closed either way
    more_.cancel();
    written_.cancel();
}

Result<unsigned> Connection::peer_uid() {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket_.native_handle(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
        return Error{Errc::unavailable, "who is on the other side cannot be seen"};
    }
    return peer.uid;
}

}  // namespace countersign::sidecar
