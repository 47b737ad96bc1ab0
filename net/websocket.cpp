// SPDX-License-Identifier: Apache-2.0
#include "net/websocket.hpp"

#include "core/utf8.hpp"
#include "net/curl_connection.hpp"
#include "net/curl_loop.hpp"
#include "net/websocket_handshake.hpp"
#include "security/encoding.hpp"

#include <openssl/rand.h>

#include <algorithm>
#include <array>

namespace countersign::net {

namespace asio = boost::asio;
using std::chrono::steady_clock;

namespace {

Error no_randomness() { return {Errc::unavailable, "no random numbers for a WebSocket"}; }

template <std::size_t size> std::optional<std::array<std::uint8_t, size>> random_bytes() {
    std::array<std::uint8_t, size> bytes{};
    if (RAND_bytes(bytes.data(), size) != 1) return std::nullopt;
    return bytes;
}

// The error of read() for a violation that ends the connection with this close code.
Errc error_of(std::uint16_t code) { return code == close_code::too_big ? Errc::too_large : Errc::malformed; }

Result<HttpAddress> address_of(const WebSocketOptions& options) {
    const std::string_view url{options.url};
    std::string http;
    if (url.starts_with("wss://")) http = "https" + options.url.substr(3);
    if (url.starts_with("ws://")) http = "http" + options.url.substr(2);
    if (http.empty()) return Error{Errc::unsupported, "the address of a WebSocket must begin with wss:// or ws://"};
    HttpRequest request{.url = http, .headers = options.headers};
    if (!options.subprotocol.empty()) request.headers.push_back({"Sec-WebSocket-Protocol", options.subprotocol});
    if (const auto sound = check(request); !sound) return sound.error();
    auto address = read_address(http);
    if (address && !options.unix_socket.empty() && !address->plain) {
        return Error{Errc::unsupported, "a unix socket is spoken to without TLS: use ws://localhost/"};
    }
    return address;
}

}  // namespace

WebSocketConnector::WebSocketConnector(asio::any_io_executor executor, std::string ca_file)
    : executor_{std::move(executor)}, ca_file_{std::move(ca_file)}, loop_{std::make_shared<CurlLoop>(executor_)} {}

WebSocketConnector::~WebSocketConnector() = default;

asio::awaitable<Result<std::unique_ptr<WebSocket>>> WebSocketConnector::connect(WebSocketOptions options) {
    auto address = address_of(options);
    if (!address) co_return address.error();
    const auto random = random_bytes<16>();
    if (!random) co_return no_randomness();
    const auto key = security::base64(*random);
    auto request =
        handshake_request(*address, {.key = key, .subprotocol = options.subprotocol, .headers = options.headers});
    if (!request) co_return request.error();

    const auto connection =
        std::make_shared<CurlConnection>(executor_, std::move(*address),
                                         CurlConnection::Options{.ca_file = ca_file_,
                                                                 .unix_socket = options.unix_socket,
                                                                 .connect_max = options.connect_max,
                                                                 .write_max = options.write_max,
                                                                 .outgoing_bytes_max = options.outgoing_bytes_max});
    if (const auto prepared = connection->prepare(); !prepared) co_return prepared.error();
    if (const auto started = loop_->start(connection); !started) co_return started.error();
    auto running = std::make_unique<RunningTask>(loop_, connection);
    // The connector may be destroyed from here on.
    if (const auto connected = co_await connection->connected(); !connected) co_return connected.error();
    std::unique_ptr<WebSocket> socket{new WebSocket{connection, std::move(running), std::move(options)}};
    const auto open = co_await socket->shake_hands(std::move(*request), key);
    if (!open) co_return open.error();
    co_return socket;
}

WebSocket::WebSocket(std::shared_ptr<CurlConnection> connection, std::unique_ptr<RunningTask> running,
                     WebSocketOptions options)
    : connection_{std::move(connection)},
      running_{std::move(running)},
      options_{std::move(options)},
      reader_{options_.message_bytes_max},
      heard_at_{steady_clock::now()},
      message_at_{heard_at_} {}

WebSocket::~WebSocket() = default;

asio::awaitable<Result<void>> WebSocket::shake_hands(std::string request, std::string key) {
    const auto until = steady_clock::now() + options_.handshake_max;
    if (auto sent = co_await connection_->write(std::move(request)); !sent) co_return sent;
    WebSocketAnswer answer{{.key = std::move(key), .subprotocol = options_.subprotocol}};
    for (;;) {
        const auto bytes = co_await connection_->read(until);
        if (!bytes) co_return bytes.error();
        if (bytes->empty()) co_return Error{Errc::unavailable, "the server closed the connection before it answered"};
        const auto whole = answer.push(*bytes);
        if (!whole) co_return whole.error();
        if (*whole) break;
        // A server that sends a byte now and then still misses the deadline.
        if (steady_clock::now() > until) co_return Error{Errc::timeout, "the server's answer was too slow"};
    }
    reader_.push(answer.rest());
    heard();
    message_at_ = heard_at_;
    co_return Result<void>{};
}

void WebSocket::heard() {
    heard_at_ = steady_clock::now();
    pinged_at_.reset();
}

WebSocket::Time WebSocket::silent_at() const {
    const auto silent = pinged_at_ ? *pinged_at_ + options_.pong_max : heard_at_ + options_.ping_after;
    return options_.idle_max ? std::min(silent, message_at_ + *options_.idle_max) : silent;
}

asio::awaitable<Result<std::string>> WebSocket::read() {
    for (;;) {
        if (auto item = reader_.pop()) {
            if (auto result = co_await take(std::move(*item))) {
                if (!*result) ended_ = result->error();
                co_return std::move(*result);
            }
            continue;
        }
        if (ended_) co_return *ended_;
        if (auto filled = co_await fill(); !filled) {
            ended_ = filled.error();
            close();
        }
    }
}

asio::awaitable<Result<void>> WebSocket::fill() {
    const auto bytes = co_await connection_->read(silent_at());
    if (!bytes && bytes.error().code == Errc::timeout) co_return co_await on_silence();
    if (!bytes) co_return bytes.error();
    if (bytes->empty()) co_return Error{Errc::unavailable, "the peer cut the WebSocket without a close frame"};
    heard();
    reader_.push(*bytes);
    co_return Result<void>{};
}

asio::awaitable<Result<void>> WebSocket::on_silence() {
    if (options_.idle_max && steady_clock::now() >= message_at_ + *options_.idle_max) {
        co_return Error{Errc::timeout, "no message came in time"};
    }
    if (pinged_at_) co_return Error{Errc::timeout, "the peer does not answer our ping"};
    pinged_at_ = steady_clock::now();
    co_return co_await send(WebSocketOpcode::ping, {});
}

asio::awaitable<std::optional<Result<std::string>>> WebSocket::take(WebSocketItem item) {
    if (auto* message = std::get_if<WebSocketMessage>(&item)) {
        message_at_ = steady_clock::now();
        co_return Result<std::string>{std::move(message->text)};
    }
    if (auto* ping = std::get_if<WebSocketPing>(&item)) {
        if (const auto sent = co_await send(WebSocketOpcode::pong, std::move(ping->payload)); !sent) {
            co_return Result<std::string>{sent.error()};
        }
        co_return std::nullopt;
    }
    if (auto* end = std::get_if<WebSocketClose>(&item)) {
        closed_ = std::move(*end);
        const auto code = closed_->code == close_code::no_status ? std::string{} : close_payload(closed_->code, {});
        static_cast<void>(co_await send(WebSocketOpcode::close, code));  // the peer may be gone already
        close();
        co_return Result<std::string>{
            Error{Errc::away, "the peer closed the WebSocket with code " + std::to_string(closed_->code)}};
    }
    if (auto* violation = std::get_if<WebSocketViolation>(&item)) {
        static_cast<void>(co_await send(WebSocketOpcode::close, close_payload(violation->code, {})));
        close();
        co_return Result<std::string>{Error{error_of(violation->code), "the peer sent " + violation->what}};
    }
    co_return std::nullopt;  // a pong: it only shows that the peer is there
}

asio::awaitable<Result<void>> WebSocket::send(WebSocketOpcode opcode, std::string payload) {
    const auto mask = random_bytes<4>();
    if (!mask) co_return no_randomness();
    const auto key = static_cast<std::uint32_t>((*mask)[0]) << 24 | (*mask)[1] << 16 | (*mask)[2] << 8 | (*mask)[3];
    co_return co_await connection_->write(websocket_frame(opcode, payload, key));
}

asio::awaitable<Result<void>> WebSocket::write(std::string message) {
    if (!utf8::valid(message)) co_return Error{Errc::malformed, "a message that is not UTF-8"};
    co_return co_await send(WebSocketOpcode::text, std::move(message));
}

asio::awaitable<void> WebSocket::finish(std::uint16_t code, std::string reason) {
    const auto until = steady_clock::now() + options_.close_max;
    const auto sent = co_await send(WebSocketOpcode::close, close_payload(code, reason));
    while (sent && !closed_ && steady_clock::now() < until) {
        while (auto item = reader_.pop()) {
            if (auto* end = std::get_if<WebSocketClose>(&*item)) closed_ = std::move(*end);
        }
        if (closed_) break;
        const auto bytes = co_await connection_->read(until);
        if (!bytes || bytes->empty()) break;
        reader_.push(*bytes);
    }
    close();
}

asio::awaitable<void> WebSocket::leave(std::uint16_t code) {
    static_cast<void>(co_await send(WebSocketOpcode::close, close_payload(code, {})));
    close();
}

void WebSocket::close() {
    connection_->close();
    running_.reset();
}

}  // namespace countersign::net
