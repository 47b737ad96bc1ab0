// SPDX-License-Identifier: Apache-2.0
// MessageStream: whole messages in both directions, whatever transports them: lines on a child's stdio, on our own
// stdin and stdout, on a socket, or WebSocket frames.
//
// One coroutine reads; any number may write. Everything runs on the executor's one thread. The owner may destroy a
// stream only after every read and write has ended; close() ends them.
#pragma once

#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>

namespace countersign::net {

class MessageStream {
public:
    virtual ~MessageStream() = default;

    // The next whole message. Errc::away: the peer ended the stream between two messages. Errc::too_large: a message
    // past the bound. Any other error: the stream is broken. If cancelled, it throws, and the next call loses nothing.
    // So don't use it on a side of ||, which would drop a message that arrives at the same time as the other side.
    virtual boost::asio::awaitable<Result<std::string>> read() = 0;

    // Resolves when the operating system has taken the whole message, after the messages of earlier calls. Errc::busy:
    // too much is waiting, and nothing of this message was sent. Errc::timeout: the peer doesn't read. A write that
    // fails or is cancelled halfway ends the stream, because nothing may follow half a message.
    virtual boost::asio::awaitable<Result<void>> write(std::string message) = 0;

    // Ends all current and later reads and writes, without notifying the peer.
    virtual void close() = 0;
};

}  // namespace countersign::net
