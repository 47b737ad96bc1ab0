// SPDX-License-Identifier: Apache-2.0
#include "gateway/stream.hpp"

#include "core/limits.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <utility>

namespace countersign::gateway {

namespace asio = boost::asio;
using boost::system::error_code;

// Shared with the timer's handler, which may still be queued when the stream is destroyed.
struct Stream::Deadline {
    explicit Deadline(asio::ip::tcp::socket& socket_of) : timer{socket_of.get_executor()}, socket{socket_of} {}
    asio::steady_timer timer;
    asio::ip::tcp::socket& socket;
    bool late = false;
};

Stream::Stream(asio::ip::tcp::socket socket, std::shared_ptr<asio::ssl::context> tls)
    : socket_{std::move(socket)}, context_{std::move(tls)}, deadline_{std::make_shared<Deadline>(socket_)} {
    if (context_) tls_.emplace(socket_, *context_);
}

Stream::~Stream() = default;

void Stream::allow(std::chrono::milliseconds time) {
    deadline_->late = false;
    deadline_->timer.expires_after(time);
    deadline_->timer.async_wait([shared = std::weak_ptr{deadline_}](const error_code& cancelled) {
        const auto deadline = shared.lock();
        // A queued handler of an earlier deadline must not end later waits.
        if (cancelled || !deadline || deadline->timer.expiry() > asio::steady_timer::clock_type::now()) return;
        deadline->late = true;
        error_code ignored;
        deadline->socket.cancel(ignored);
    });
}

bool Stream::late() const { return deadline_->late; }

void Stream::cancel() {
    error_code ignored;
    socket_.cancel(ignored);
}

void Stream::close() {
    error_code ignored;
    socket_.close(ignored);
}

asio::awaitable<bool> Stream::handshake() {
    if (!tls_) co_return true;
    error_code failed;
    co_await tls_->async_handshake(asio::ssl::stream_base::server, asio::redirect_error(asio::use_awaitable, failed));
    co_return !failed;
}

asio::awaitable<std::size_t> Stream::read(std::span<char> into) {
    // The deadline may have expired between two waits.
    if (late()) co_return 0;
    error_code failed;
    const auto buffer = asio::buffer(into.data(), into.size());
    std::size_t got = 0;
    if (tls_) {
        got = co_await tls_->async_read_some(buffer, asio::redirect_error(asio::use_awaitable, failed));
    } else {
        got = co_await socket_.async_read_some(buffer, asio::redirect_error(asio::use_awaitable, failed));
    }
    co_return failed ? 0 : got;
}

asio::awaitable<bool> Stream::write(std::string bytes) {
    error_code failed;
    if (tls_) {
        co_await asio::async_write(*tls_, asio::buffer(bytes), asio::redirect_error(asio::use_awaitable, failed));
    } else {
        co_await asio::async_write(socket_, asio::buffer(bytes), asio::redirect_error(asio::use_awaitable, failed));
    }
    co_return !failed;
}

asio::awaitable<void> Stream::finish(std::chrono::milliseconds time, std::size_t bytes_max) {
    allow(time);
    error_code failed;
    if (tls_) co_await tls_->async_shutdown(asio::redirect_error(asio::use_awaitable, failed));
    socket_.shutdown(asio::ip::tcp::socket::shutdown_send, failed);
    std::array<char, 4096> dropped{};
    for (std::size_t total = 0; total < bytes_max && !late();) {
        total +=
            co_await socket_.async_read_some(asio::buffer(dropped), asio::redirect_error(asio::use_awaitable, failed));
        if (failed) break;
    }
    socket_.close(failed);
}

}  // namespace countersign::gateway
