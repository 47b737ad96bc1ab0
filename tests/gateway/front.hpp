// SPDX-License-Identifier: Apache-2.0
// A server on a real socket and peers that write raw bytes to it, all on one thread: a waiting peer lets the server
// run, and gives up after a limit instead of hanging.
#pragma once

#include "core/ports/readiness.hpp"
#include "gateway/server.hpp"
#include "gateway/webhooks.hpp"
#include "tests/fakes/fake_clock.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::gateway {

// A channel's inbound side that keeps the messages it got. While held, it answers only when released.
class FakeInbound final : public Inbound {
public:
    explicit FakeInbound(boost::asio::io_context& io) : gate_{io, boost::asio::steady_timer::time_point::max()} {}
    boost::asio::awaitable<Reply> handle(InboundMessage message) override;
    std::optional<Reply> handle_without_body(const InboundMessage& message) override {
        if (without_body) bodiless.push_back(message);
        return without_body;
    }
    [[nodiscard]] std::chrono::milliseconds reply_max() const override { return wait; }
    [[nodiscard]] Reply deferred() const override { return deferred_reply; }
    void hold() { held_ = true; }
    void release();

    Reply reply{.status = 200, .content_type = {}, .body = {}};
    Reply deferred_reply{.status = 200, .content_type = {}, .body = {}};
    std::optional<Reply> without_body;  // to a message whose body is too large
    std::chrono::milliseconds wait = limits::gateway_handle_max;
    bool throws = false;
    std::vector<InboundMessage> messages;
    std::vector<InboundMessage> bodiless;
    std::size_t answered = 0;
    std::size_t cancelled = 0;

private:
    bool held_ = false;
    boost::asio::steady_timer gate_;
};

class FakeReadiness final : public Readiness {
public:
    [[nodiscard]] std::vector<std::string> unready() const override { return reasons; }
    std::vector<std::string> reasons;
};

struct Answer {
    unsigned status = 0;  // 0: none came
    std::string head;
    std::string body;
};

class Front : public testing::Test {
protected:
    Front();
    ~Front() override;

    // POST /webhooks/telegram/ops goes to `inbound`. All limits that the test doesn't set are the real ones.
    void open(ServerOptions options = {});
    void open(ServerOptions options, std::vector<Endpoint> routes);
    void begin_drain(std::chrono::milliseconds deadline = limits::gateway_drain_max);
    void drain();  // and waits until nothing is left

public:
    // Runs the server until the condition is true; false after a limit.
    bool until(const std::function<bool()>& holds);
    [[nodiscard]] std::size_t lines_with(std::string_view text) const;

    boost::asio::io_context io;
    fakes::FakeClock clock;
    FakeInbound inbound{io};
    std::vector<std::string> lines;
    std::vector<std::string> stray;
    std::unique_ptr<Server> server;
    bool ran = false;      // run() has resolved
    bool drained = false;  // drain() has resolved
};

// One connection. Over TLS it trusts every certificate, because only the server is tested.
class Peer {
public:
    explicit Peer(Front& front, const char* from = "127.0.0.1");
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;
    ~Peer();

    bool handshake(int version_max = TLS1_3_VERSION);
    // Identifies the server's certificate; empty before the handshake.
    [[nodiscard]] std::string certificate() const;
    void send(std::string_view bytes);
    // Reads one answer, by its Content-Length.
    Answer answer();
    Answer ask(std::string_view bytes);
    // All bytes until the server closes the connection; the test fails if it doesn't.
    std::string rest();
    bool closed();  // closed by the server without a further byte
    void close();

private:
    bool fill();  // false: no bytes came
    Front& front_;
    int socket_;
    std::string received_;
    bool ended_ = false;
    std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_{nullptr, SSL_CTX_free};
    std::unique_ptr<SSL, decltype(&SSL_free)> tls_{nullptr, SSL_free};
};

[[nodiscard]] std::size_t open_descriptors();

}  // namespace countersign::gateway
