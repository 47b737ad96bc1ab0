// SPDX-License-Identifier: Apache-2.0
// WebSocket: a client connection as a MessageStream of text messages, without extensions.
//
// It runs no task: read() answers pings, sends our own when the peer is silent, and notices a peer that is gone. So
// always keep a read running.
#pragma once

#include "core/http_message.hpp"
#include "core/limits.hpp"
#include "net/message_stream.hpp"
#include "net/websocket_frames.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign::net {

class CurlConnection;
class CurlLoop;
class RunningTask;

struct WebSocketOptions {
    std::string url;               // wss://; ws:// only to a loopback address
    std::string unix_socket = {};  // if set, connects there; the URL is then ws://localhost/…
    std::vector<HttpHeader> headers = {};
    std::string subprotocol = {};
    std::size_t message_bytes_max = limits::stream_message_bytes_max;
    std::size_t outgoing_bytes_max = limits::stream_outgoing_bytes_max;
    std::chrono::milliseconds connect_max = limits::stream_connect_max;
    std::chrono::milliseconds handshake_max = limits::websocket_handshake_max;
    std::chrono::milliseconds ping_after = limits::websocket_ping_after;
    std::chrono::milliseconds pong_max = limits::websocket_pong_max;
    std::optional<std::chrono::milliseconds> idle_max = {};  // without a complete message, with or without pongs
    std::chrono::milliseconds write_max = limits::stream_write_max;
    std::chrono::milliseconds close_max = limits::websocket_close_max;
};

class WebSocket final : public MessageStream {
public:
    ~WebSocket() override;
    WebSocket(const WebSocket&) = delete;
    WebSocket& operator=(const WebSocket&) = delete;

    // Errc::away: the peer sent a close frame; closed() has its code. Errc::malformed (the peer broke the protocol) and
    // Errc::too_large (a message past the bound) end the connection. Errc::timeout: the peer is gone.
    boost::asio::awaitable<Result<std::string>> read() override;
    // Errc::malformed: not UTF-8.
    boost::asio::awaitable<Result<void>> write(std::string message) override;
    void close() override;
    // Sends a close frame with this code, waits up to close_max for the peer's, and closes. No read may be running.
    boost::asio::awaitable<void> finish(std::uint16_t code, std::string reason);
    // Sends a close frame with this code and closes without waiting for the peer's, because the peer may be gone. Ends
    // a running read.
    boost::asio::awaitable<void> leave(std::uint16_t code);
    // The peer's close frame. The reason is the peer's own text: redact it before logging it.
    [[nodiscard]] const std::optional<WebSocketClose>& closed() const { return closed_; }

private:
    friend class WebSocketConnector;
    using Time = std::chrono::steady_clock::time_point;
    WebSocket(std::shared_ptr<CurlConnection> connection, std::unique_ptr<RunningTask> running,
              WebSocketOptions options);
    boost::asio::awaitable<Result<void>> shake_hands(std::string request, std::string key);
    boost::asio::awaitable<Result<void>> fill();
    boost::asio::awaitable<Result<void>> on_silence();
    boost::asio::awaitable<Result<void>> send(WebSocketOpcode opcode, std::string payload);
    // Handles one item. Empty if the caller need not know about it.
    boost::asio::awaitable<std::optional<Result<std::string>>> take(WebSocketItem item);
    [[nodiscard]] Time silent_at() const;
    void heard();

    std::shared_ptr<CurlConnection> connection_;
    std::unique_ptr<RunningTask> running_;  // its destruction closes the connection
    WebSocketOptions options_;
    WebSocketReader reader_;
    Time heard_at_;
    Time message_at_;
    std::optional<Time> pinged_at_;  // nothing was heard since
    std::optional<WebSocketClose> closed_;
    std::optional<Error> ended_;  // the error of every later read
};

// Opens WebSockets. Use it on its executor's one thread, and destroy it before the event loop; every WebSocket that it
// opened then ends with an error.
class WebSocketConnector {
public:
    // `ca_file` as in CurlHttpClient.
    explicit WebSocketConnector(boost::asio::any_io_executor executor, std::string ca_file = {});
    WebSocketConnector(const WebSocketConnector&) = delete;
    WebSocketConnector& operator=(const WebSocketConnector&) = delete;
    ~WebSocketConnector();

    // Errors contain neither headers nor any part of the URL but the host.
    boost::asio::awaitable<Result<std::unique_ptr<WebSocket>>> connect(WebSocketOptions options);

private:
    boost::asio::any_io_executor executor_;
    std::string ca_file_;
    std::shared_ptr<CurlLoop> loop_;  // the only owner
};

}  // namespace countersign::net
