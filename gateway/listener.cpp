// SPDX-License-Identifier: Apache-2.0
#include "gateway/listener.hpp"

#include "core/limits.hpp"
#include "gateway/client_address.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fcntl.h>
#include <utility>

namespace countersign::gateway {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

// Our children must not keep a port or a connection open.
void close_on_exec(int descriptor) { ::fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

Error not_opened(const tcp::endpoint& at, const error_code& failed) {
    const auto where = at.address().to_string() + " port " + std::to_string(at.port());
    if (failed == asio::error::address_in_use) {
        return {Errc::busy, where + " is taken by another program: stop it or choose another port"};
    }
    if (failed == asio::error::access_denied) {
        return {Errc::bad_config, where + " needs a right that we do not have: choose a port above 1023"};
    }
    return {Errc::bad_config, "cannot listen on " + where + ": " + failed.message()};
}

error_code start(tcp::acceptor& acceptor, const tcp::endpoint& at) {
    error_code failed;
    acceptor.open(at.protocol(), failed);
    if (failed) return failed;
    close_on_exec(acceptor.native_handle());
    acceptor.set_option(tcp::acceptor::reuse_address{true}, failed);
    if (!failed) acceptor.bind(at, failed);
    if (!failed) acceptor.listen(limits::gateway_backlog_max, failed);
    return failed;
}

}  // namespace

Listener::Listener(tcp::acceptor acceptor) : acceptor_{std::move(acceptor)} {}

Result<Listener> Listener::open(const asio::any_io_executor& executor, const std::string& address, std::uint16_t port,
                                const std::optional<TlsFiles>& tls) {
    error_code failed;
    const auto parsed = asio::ip::make_address(address, failed);
    if (failed) {
        return Error{Errc::bad_config, "listen on an IP address such as 127.0.0.1 or ::, not on \"" + address + '"'};
    }
    if (!tls && !unmapped(parsed).is_loopback()) {
        return Error{Errc::bad_config, "plain HTTP is served on loopback only, not on " + address +
                                           ": give certificate and key files, or listen on 127.0.0.1 behind a proxy "
                                           "that brings the TLS"};
    }
    Listener listener{tcp::acceptor{executor}};
    if (tls) {
        auto context = load_tls(*tls);
        if (!context) return context.error();
        listener.tls_ = std::move(*context);
    }
    const tcp::endpoint at{parsed, port};
    failed = start(listener.acceptor_, at);
    if (failed) return not_opened(at, failed);
    listener.port_ = listener.acceptor_.local_endpoint().port();
    return listener;
}

asio::awaitable<std::optional<tcp::socket>> Listener::accept() {
    while (acceptor_.is_open()) {
        error_code failed;
        auto socket = co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, failed));
        if (!failed) {
            close_on_exec(socket.native_handle());
            socket.set_option(tcp::no_delay{true}, failed);
            co_return socket;
        }
        if (!acceptor_.is_open() || failed == asio::error::connection_aborted) continue;
        // Out of descriptors or memory. Retrying at once would only burn the processor.
        asio::steady_timer pause{acceptor_.get_executor(), limits::gateway_accept_pause};
        co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, failed));
    }
    co_return std::nullopt;
}

void Listener::close() {
    error_code ignored;
    acceptor_.close(ignored);
}

}  // namespace countersign::gateway
