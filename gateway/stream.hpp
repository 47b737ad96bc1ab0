// SPDX-License-Identifier: Apache-2.0
// Stream: one connection's bytes, plain or over TLS, each wait under a deadline.
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
    // Without a context the bytes are plain.
    Stream(boost::asio::ip::tcp::socket socket, std::shared_ptr<boost::asio::ssl::context> tls);
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream();

    // From now on, whatever is waited for ends after this time; late() then says so.
    void allow(std::chrono::milliseconds time);
    [[nodiscard]] bool late() const;

    // Ends what is waited for now.
    void cancel();
    // Frees the descriptor at once; whatever is waited for, now or later, fails.
    void close();

    boost::asio::awaitable<bool> handshake();
    // How many came; 0 at the end, on an error and when it is late.
    boost::asio::awaitable<std::size_t> read(std::span<char> into);
    boost::asio::awaitable<bool> write(std::string bytes);
    // Says goodbye and reads what the peer still sends, up to bounds: closing at once would throw away the answer that
    // it has not read yet.
    boost::asio::awaitable<void> finish(std::chrono::milliseconds time);

private:
    struct Deadline;
    boost::asio::ip::tcp::socket socket_;
    std::shared_ptr<boost::asio::ssl::context> context_;
    std::optional<boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>> tls_;
    std::shared_ptr<Deadline> deadline_;
};

}  // namespace countersign::gateway
