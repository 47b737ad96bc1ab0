// SPDX-License-Identifier: Apache-2.0
#include "tests/net/http_server.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <stdexcept>
#include <sys/socket.h>

namespace countersign::testing_tools {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr auto use_tuple = asio::as_tuple(asio::use_awaitable);

std::size_t length_of(const std::string& head) {
    const auto at = head.find("Content-Length: ");
    return at == std::string::npos ? 0 : std::stoul(head.substr(at + 16));
}

// Counts a connection while it is open.
class Counted {
public:
    Counted(std::shared_ptr<HttpServer::State> state, int socket) : state_{std::move(state)}, socket_{socket} {
        ++state_->accepted;
        state_->open_max = std::max(state_->open_max, ++state_->open);
        state_->sockets.push_back(socket_);
    }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() {
        --state_->open;
        std::erase(state_->sockets, socket_);
    }

private:
    std::shared_ptr<HttpServer::State> state_;
    int socket_;
};

template <class Stream> asio::awaitable<void> hold(Stream& stream) {
    char byte = 0;  // until the client disconnects
    co_await asio::async_read(stream, asio::buffer(&byte, 1), use_tuple);
}

template <class Stream> asio::awaitable<void> talk(Stream& stream, std::shared_ptr<HttpServer::State> state) {
    std::string buffer;
    for (;;) {
        const auto [failed, size] =
            co_await asio::async_read_until(stream, asio::dynamic_buffer(buffer), "\r\n\r\n", use_tuple);
        if (failed) co_return;
        Seen seen{.line = buffer.substr(0, buffer.find("\r\n")), .head = buffer.substr(0, size)};
        buffer.erase(0, size);
        const auto length = length_of(seen.head);
        if (length > buffer.size()) {
            const auto missing = length - buffer.size();
            const auto [cut, more] = co_await asio::async_read(stream, asio::dynamic_buffer(buffer),
                                                               asio::transfer_at_least(missing), use_tuple);
            if (cut) co_return;
        }
        seen.body = buffer.substr(0, length);
        buffer.erase(0, length);
        state->seen.push_back(seen);
        const auto reply = state->answer(seen);
        const auto [broken, written] = co_await asio::async_write(stream, asio::buffer(reply.bytes), use_tuple);
        if (broken || reply.then == Reply::Then::close) co_return;
        if (reply.then == Reply::Then::hold) co_return co_await hold(stream);
    }
}

asio::awaitable<void> serve(tcp::socket socket, std::shared_ptr<HttpServer::State> state,
                            std::shared_ptr<asio::ssl::context> tls) {
    const Counted counted{state, socket.native_handle()};
    if (!tls) co_return co_await talk(socket, state);
    asio::ssl::stream<tcp::socket> stream{std::move(socket), *tls};
    const auto [failed] = co_await stream.async_handshake(asio::ssl::stream_base::server, use_tuple);
    if (!failed) co_await talk(stream, state);
}

}  // namespace

std::string http(int status, const std::string& body, const std::string& headers) {
    return "HTTP/1.1 " + std::to_string(status) + " Said\r\n" + headers +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

struct HttpServer::Listener {
    tcp::acceptor acceptor;
    std::shared_ptr<asio::ssl::context> tls;

    static asio::awaitable<void> run(std::shared_ptr<Listener> self, std::shared_ptr<State> state) {
        for (;;) {
            auto [failed, socket] = co_await self->acceptor.async_accept(use_tuple);
            if (failed) co_return;
            asio::co_spawn(self->acceptor.get_executor(), serve(std::move(socket), state, self->tls), asio::detached);
        }
    }
};

HttpServer::HttpServer(asio::io_context& io, const std::optional<Identity>& tls)
    : state_{std::make_shared<State>()},
      listener_{std::make_shared<Listener>(tcp::acceptor{io, {asio::ip::address_v4::loopback(), 0}})} {
    if (tls) {
        listener_->tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
        listener_->tls->use_certificate(asio::buffer(tls->certificate), asio::ssl::context::pem);
        listener_->tls->use_private_key(asio::buffer(tls->key), asio::ssl::context::pem);
    }
    asio::co_spawn(io, Listener::run(listener_, state_), asio::detached);
}

HttpServer::~HttpServer() {
    boost::system::error_code ignored;
    listener_->acceptor.close(ignored);
}

std::uint16_t HttpServer::port() const { return listener_->acceptor.local_endpoint().port(); }

void HttpServer::say(const std::string& bytes) {
    for (const int socket : state_->sockets) {
        if (::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) throw std::runtime_error{"send"};
    }
}

void HttpServer::close_all() {
    for (const int socket : state_->sockets) ::shutdown(socket, SHUT_RDWR);
}

}  // namespace countersign::testing_tools
