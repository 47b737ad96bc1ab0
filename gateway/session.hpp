// SPDX-License-Identifier: Apache-2.0
// Session: one connection, one request after the other, in their order. Every wait has a deadline and every size a
// bound; the order of work is framing, route, the client's budget, body, handler, so that little is spent on a
// stranger.
#pragma once

#include "core/ports/clock.hpp"
#include "gateway/access_log.hpp"
#include "gateway/client.hpp"
#include "gateway/handover.hpp"
#include "gateway/refusal_limit.hpp"
#include "gateway/request_reader.hpp"
#include "gateway/router.hpp"
#include "gateway/stream.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace countersign::gateway {

// What the sessions of a server have in common. The server owns it, and outlives them.
struct Common {
    const Bounds& bounds;
    const Router& router;
    const std::vector<boost::asio::ip::address>& proxies;
    Clock& clock;
    const LineSink& access;
    Handover& handover;
    RefusalLimit& refusals;
    std::uint64_t requests = 0;  // counted for the log
    bool draining = false;       // the answer that is being made is the connection's last
};

class Session {
public:
    Session(boost::asio::ip::tcp::socket socket, std::shared_ptr<boost::asio::ssl::context> tls,
            boost::asio::ip::address peer, Common& common);

    // Resolves when the connection has ended.
    boost::asio::awaitable<void> run();
    // Ends it unless a request has begun.
    void end_if_idle();

private:
    enum class Next { again, goodbye, gone };
    boost::asio::awaitable<Next> exchange();
    boost::asio::awaitable<bool> read_head();
    boost::asio::awaitable<bool> read_body(std::size_t body_bytes_max);
    boost::asio::awaitable<std::size_t> pull();
    boost::asio::awaitable<std::optional<Response>> respond(Client client, Access* access);
    [[nodiscard]] std::variant<const Route*, Response> admit(const Client& client) const;
    [[nodiscard]] bool is_a_client() const;
    [[nodiscard]] bool skip_unread();

    Stream stream_;
    boost::asio::ip::address peer_;
    Common& common_;
    RequestReader reader_;
    std::vector<char> received_;
    std::size_t served_ = 0;
    bool busy_ = false;  // a request has begun and is not answered
};

}  // namespace countersign::gateway
