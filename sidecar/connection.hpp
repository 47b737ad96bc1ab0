// SPDX-License-Identifier: Apache-2.0
// Connection: messages over one local stream socket, in both directions. Line length and the write queue are bounded; a
// peer that exceeds a bound, or sends an invalid message, loses the connection.
#pragma once

#include "core/result.hpp"
#include "net/line_framing.hpp"
#include "sidecar/wire.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include <string>

namespace countersign::sidecar {

// The socket on which the hub of this state directory listens for sidecars.
[[nodiscard]] inline std::string socket_of(const std::string& state) { return state + "/hub.sock"; }

class Connection {
public:
    explicit Connection(boost::asio::local::stream_protocol::socket socket);

    // The next message; Errc::unavailable if the peer is gone.
    boost::asio::awaitable<Result<Message>> read();
    // Queues a message for run_writer(). Errc::busy past the bound, Errc::unavailable after close().
    Result<void> write(const Message& message);
    // Writes queued messages until close().
    boost::asio::awaitable<void> run_writer();
    // Resolves when everything queued was written, the peer is gone, or this time is over.
    boost::asio::awaitable<void> flush(std::chrono::milliseconds time_max);
    // Ends all current and later reads and writes.
    void close();
    [[nodiscard]] bool closed() const { return closed_; }
    // The peer's user id, according to the kernel.
    [[nodiscard]] Result<unsigned> peer_uid();

private:
    boost::asio::local::stream_protocol::socket socket_;
    boost::asio::steady_timer more_;  // cancelled when there is something to write
    net::LineFraming framing_;
    std::string outgoing_;
    boost::asio::steady_timer written_;  // cancelled when nothing is left to write
    bool writing_ = false;
    bool closed_ = false;
};

}  // namespace countersign::sidecar
