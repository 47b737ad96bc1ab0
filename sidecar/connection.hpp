// SPDX-License-Identifier: Apache-2.0
// Connection: messages over one local stream socket, in both directions. Lines and what waits to be written are
// bounded; whoever breaks a bound, or sends what is no message, loses the connection.
#pragma once

#include "core/result.hpp"
#include "net/line_framing.hpp"
#include "sidecar/wire.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include <string>

namespace countersign::sidecar {

// Where the hub of this state directory listens for its sidecars.
[[nodiscard]] inline std::string socket_of(const std::string& state) { return state + "/hub.sock"; }

class Connection {
public:
    explicit Connection(boost::asio::local::stream_protocol::socket socket);

    // The next message; Errc::unavailable when the other side is gone.
    boost::asio::awaitable<Result<Message>> read();
    // Queued; written by run_writer(). Errc::busy past the bound, Errc::unavailable after close().
    Result<void> write(const Message& message);
    // Writes what is queued until close().
    boost::asio::awaitable<void> run_writer();
    // Ends every read and write, now and later.
    void close();
    [[nodiscard]] bool closed() const { return closed_; }
    // The user on the other side, as the kernel says.
    [[nodiscard]] Result<unsigned> peer_uid();

private:
    boost::asio::local::stream_protocol::socket socket_;
    boost::asio::steady_timer more_;  // cancelled when there is something to write
    net::LineFraming framing_;
    std::string outgoing_;
    bool closed_ = false;
};

}  // namespace countersign::sidecar
