// SPDX-License-Identifier: Apache-2.0
// Listener: one listening address. Plain HTTP is allowed only on loopback, where a proxy in front terminates TLS.
#pragma once

#include "core/result.hpp"
#include "gateway/tls.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace countersign::gateway {

class Listener {
public:
    // `address` is an IP address, not a name; port 0 takes a free one. Errc::bad_config if we may not listen there,
    // Errc::busy if another program does.
    static Result<Listener> open(const boost::asio::any_io_executor& executor, const std::string& address,
                                 std::uint16_t port, const std::optional<TlsFiles>& tls);

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] const std::shared_ptr<boost::asio::ssl::context>& tls() const { return tls_; }
    // Uses this certificate from the next handshake on. Existing connections keep theirs until they end. Precondition:
    // the listener was opened with TLS.
    void show(std::shared_ptr<boost::asio::ssl::context> tls) { tls_ = std::move(tls); }

    // The next connection; empty after close(). If the system has no descriptors left, waits a little and tries again.
    boost::asio::awaitable<std::optional<boost::asio::ip::tcp::socket>> accept();
    void close();

private:
    explicit Listener(boost::asio::ip::tcp::acceptor acceptor);
    boost::asio::ip::tcp::acceptor acceptor_;
    std::shared_ptr<boost::asio::ssl::context> tls_;
    std::uint16_t port_ = 0;
};

}  // namespace countersign::gateway
