// SPDX-License-Identifier: Apache-2.0
// Stream: the bytes of one connection, plain or over TLS; every wait has a deadline.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace countersign::gateway {

class Stream {
public:
    // Plain if `tls` is null.
    Stream(boost::asio::ip::tcp::socket socket, std::shared_ptr<boost::asio::ssl::context> tls);
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream();

    // Starts a deadline for all following waits. When it expires they end, and late() is true.
    void allow(std::chrono::milliseconds time);
    [[nodiscard]] bool late() const;

    // Ends the current wait.
    void cancel();
    // Frees the descriptor at once; current and later waits fail.
    void close();

    boost::asio::awaitable<bool> handshake();
    // The number of bytes read; 0 at the end, on an error, and after the deadline.
    boost::asio::awaitable<std::size_t> read(std::span<char> into);
    boost::asio::awaitable<bool> write(std::string bytes);
    // Closes our side and drops what the peer still sends, up to these limits: closing at once would discard the answer
    // before the peer has read it.
    boost::asio::awaitable<void> finish(std::chrono::milliseconds time, std::size_t bytes_max);

private:
    struct Deadline;
    boost::asio::ip::tcp::socket socket_;
    std::shared_ptr<boost::asio::ssl::context> context_;
    std::optional<boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>> tls_;
    std::shared_ptr<Deadline> deadline_;
};

}  // namespace countersign::gateway
