// SPDX-License-Identifier: Apache-2.0
// MessageStream: whole messages in both directions, no matter what carries them: lines on a child's stdio, on our own
// stdin and stdout, on a socket, or WebSocket frames.
//
// One coroutine reads; any number may write. All on the executor's one thread. The owner destroys a stream after every
// read and write has ended; close() makes them end.
#pragma once

#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>

namespace countersign::net {

class MessageStream {
public:
    virtual ~MessageStream() = default;

    // The next whole message. Errc::away: the peer ended the stream, between two messages. Errc::too_large: a message
    // past the bound. Any other error: the stream is broken. Cancelled, it throws, and the next call loses nothing; so
    // don't put it on a side of ||, where a message that arrives at the same time as the other side would be dropped.
    virtual boost::asio::awaitable<Result<std::string>> read() = 0;

    // Resolves when the operating system has taken all of it, after the messages of earlier calls. Errc::busy: too much
    // waits already, and nothing of this message was sent. Errc::timeout: the peer doesn't read. A write that fails or
    // is cancelled halfway ends the stream, because nothing may follow half a message.
    virtual boost::asio::awaitable<Result<void>> write(std::string message) = 0;

    // Ends every read and write, now and later, without a word to the peer.
    virtual void close() = 0;
};

}  // namespace countersign::net
