// SPDX-License-Identifier: Apache-2.0
// A WebSocket client, its event loop, and a scripted server on 127.0.0.1 that may answer wrongly. Every part of the URL
// except the host is a secret, and so is a header: no error may contain one of them.
#pragma once

#include "net/websocket.hpp"
#include "net/websocket_handshake.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace countersign::net {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// Accepts one connection, reads the head of the request, answers, and collects everything that the client sends.
class ScriptedServer {
public:
    explicit ScriptedServer(asio::io_context& io)
        : io_{io}, acceptor_{io, {asio::ip::address_v4::loopback(), 0}}, socket_{io} {
        asio::co_spawn(io, serve(), [this](const std::exception_ptr&) { serves_ = false; });
    }
    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;
    // The coroutine must end before this object is destroyed, because it uses all members.
    ~ScriptedServer() {
        boost::system::error_code ignored;
        acceptor_.close(ignored);
        socket_.close(ignored);
        io_.restart();
        while (serves_ && io_.run_one_for(10s) > 0) {}
    }
    [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
    void say(const std::string& bytes) { asio::write(socket_, asio::buffer(bytes)); }
    // As a machine that loses its power.
    void reset() {
        socket_.set_option(asio::socket_base::linger{true, 0});
        socket_.close();
    }
    void end() { socket_.shutdown(asio::ip::tcp::socket::shutdown_send); }
    // The head of a complete, valid answer.
    static std::string accept(const std::string& head, const std::string& further = {}) {
        const std::string name = "Sec-WebSocket-Key: ";
        const auto at = head.find(name) + name.size();
        return "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
               "Sec-WebSocket-Accept: " +
               expected_accept(head.substr(at, head.find("\r\n", at) - at)) + "\r\n" + further + "\r\n";
    }

    // Empty: no answer at all.
    std::function<std::string(const std::string& head)> answer = [](const std::string& head) { return accept(head); };
    bool listens_on = true;  // false: it reads the head and nothing more
    std::string head;
    std::string heard;
    bool client_left = false;

private:
    asio::awaitable<void> serve() {
        constexpr auto use_tuple = asio::as_tuple(asio::use_awaitable);
        auto [failed, socket] = co_await acceptor_.async_accept(use_tuple);
        if (failed) co_return;
        socket_ = std::move(socket);
        const auto [cut, size] =
            co_await asio::async_read_until(socket_, asio::dynamic_buffer(heard), "\r\n\r\n", use_tuple);
        if (cut) co_return;
        head = heard.substr(0, size);
        heard.erase(0, size);
        if (const auto bytes = answer(head); !bytes.empty()) say(bytes);
        if (!listens_on) co_return;
        std::array<char, 65'536> buffer;
        for (;;) {
            const auto [ended, got] = co_await socket_.async_read_some(asio::buffer(buffer), use_tuple);
            if (ended) break;
            heard.append(buffer.data(), got);
        }
        client_left = true;
    }

    asio::io_context& io_;
    asio::ip::tcp::acceptor acceptor_;
    asio::ip::tcp::socket socket_;
    bool serves_ = true;
};

class WebSocketTest : public testing::Test {
protected:
    using Connected = Result<std::unique_ptr<WebSocket>>;

    WebSocketTest() { ::signal(SIGPIPE, SIG_IGN); }

    template <class Condition> void run_until(Condition holds) {
        const auto give_up = std::chrono::steady_clock::now() + 30s;
        io.restart();
        while (!holds() && std::chrono::steady_clock::now() < give_up) io.run_one_for(1s);
        ASSERT_TRUE(holds()) << "waited in vain";
    }
    // The state of a task; no result if it was cancelled.
    template <class T> struct Task {
        std::optional<T> result;
        bool cancelled = false;
        asio::cancellation_signal cancel;
        [[nodiscard]] bool ended() const { return result.has_value() || cancelled; }
    };
    template <class T> std::shared_ptr<Task<T>> begin(asio::awaitable<T> work) {
        auto task = std::make_shared<Task<T>>();
        asio::co_spawn(
            io, std::move(work),
            asio::bind_cancellation_slot(task->cancel.slot(), [task](const std::exception_ptr& thrown, T value) {
                task->cancelled = thrown != nullptr;
                if (!thrown) task->result = std::move(value);
            }));
        return task;
    }
    template <class T> T await(asio::awaitable<T> work) {
        const auto task = begin(std::move(work));
        run_until([&] { return task->ended(); });
        return task->result ? std::move(*task->result) : T{};
    }
    static asio::awaitable<bool> finished(WebSocket& socket, std::uint16_t code, std::string reason) {
        co_await socket.finish(code, std::move(reason));
        co_return true;
    }

    static asio::awaitable<bool> left(WebSocket& socket, std::uint16_t code) {
        co_await socket.leave(code);
        co_return true;
    }

    static void expect_no_secret(const Error& error) {
        EXPECT_THAT(error.detail, testing::Not(testing::HasSubstr("SECRET")));
        EXPECT_THAT(error.detail, testing::Not(testing::IsEmpty()));
    }
    WebSocketOptions to(std::uint16_t port, WebSocketOptions options = {}) {
        if (options.url.empty()) options.url = "ws://127.0.0.1:" + std::to_string(port) + "/SECRET?ticket=SECRET";
        options.headers.push_back({"Authorization", "Bearer SECRET"});
        return options;
    }
    Connected connect(WebSocketOptions options) { return await(connector->connect(std::move(options))); }
    std::unique_ptr<WebSocket> open(WebSocketOptions options) {
        auto socket = connect(std::move(options));
        EXPECT_TRUE(socket) << describe(socket.error());
        return socket ? std::move(*socket) : nullptr;
    }
    // Why it can't be opened.
    Error refusal(WebSocketOptions options) {
        const auto socket = connect(std::move(options));
        EXPECT_FALSE(socket);
        if (socket) return {};
        expect_no_secret(socket.error());
        return socket.error();
    }
    std::string message(WebSocket& from) {
        const auto read = await(from.read());
        EXPECT_TRUE(read) << describe(read.error());
        return read ? *read : "";
    }
    Error failure(WebSocket& from) {
        const auto read = await(from.read());
        EXPECT_FALSE(read) << *read;
        if (read) return {};
        expect_no_secret(read.error());
        return read.error();
    }

    asio::io_context io;
    std::unique_ptr<WebSocketConnector> connector = std::make_unique<WebSocketConnector>(io.get_executor());
};

}  // namespace countersign::net
