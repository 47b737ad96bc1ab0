// SPDX-License-Identifier: Apache-2.0
// HttpConnection: serves one connection, one request after the other. Every wait has a deadline, every size a limit.
//
// The order of checks, so that an unknown client costs little and nothing it sent is trusted:
//   1. the client may have this connection (Server), and its bytes arrive in time
//   2. the head: its size and its framing, strictly                            400, 408, 414, 431, 501, 505
//   3. the client's request rate, whatever it asks for, and, behind a proxy,
//      the number of its connections there                                     429
//   4. the path and the method                                                 404, 405
//   5. the budget of a client that was refused recently                        429
//   6. the body, up to the route's limit and the space for all unverified
//      bodies; of a larger one the handler may verify the headers              408, 413, 503
//   7. the handler, which verifies the raw bytes before it parses them (I5)    401, 403: counts for step 5
#pragma once

#include "core/ports/clock.hpp"
#include "gateway/access_log.hpp"
#include "gateway/body_budget.hpp"
#include "gateway/client_address.hpp"
#include "gateway/connection_count.hpp"
#include "gateway/handover.hpp"
#include "gateway/refusal_limit.hpp"
#include "gateway/request_rate.hpp"
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

// State shared by all connections of a server, which owns it and outlives them.
struct Common {
    const Bounds& bounds;
    const Router& router;
    const Proxies& proxies;
    Clock& clock;
    const LineSink& access;
    Handover& handover;
    RefusalLimit& refusals;
    BodyBudget& unverified;
    RequestRate* rate;           // null on the operator's own listener
    std::uint64_t requests = 0;  // number of requests, for the log
    bool draining = false;       // the current answer is the last one on its connection
};

class HttpConnection {
public:
    // Borrows the ticket. If the ticket is evicted, the connection closes.
    HttpConnection(boost::asio::ip::tcp::socket socket, std::shared_ptr<boost::asio::ssl::context> tls,
                   boost::asio::ip::address peer, ConnectionCount::Ticket& ticket, Common& common);

    // Resolves when the connection has ended.
    boost::asio::awaitable<void> run();
    // Closes the connection unless a request has begun.
    void end_if_idle();

private:
    enum class Next { again, goodbye, gone };
    boost::asio::awaitable<Next> exchange();
    boost::asio::awaitable<Response> hand_over(const Endpoint* route, InboundMessage message);
    [[nodiscard]] Response refuse_body(const Endpoint& route, InboundMessage message);
    boost::asio::awaitable<bool> read_head();
    boost::asio::awaitable<bool> read_body(std::size_t body_bytes_max, BodyBudget::Share& share);
    boost::asio::awaitable<std::size_t> pull();
    boost::asio::awaitable<std::optional<Response>> respond(ClientAddress client, Access* access);
    [[nodiscard]] boost::asio::ip::address client_of(const Head& head) const;
    [[nodiscard]] std::optional<Response> over_share(const ClientAddress& client);
    [[nodiscard]] std::optional<Response> over_rate(const ClientAddress& client);
    [[nodiscard]] std::variant<Router::Found, Response> admit(const ClientAddress& client) const;
    [[nodiscard]] bool is_a_client() const;
    [[nodiscard]] bool skip_unread();

    Stream stream_;
    boost::asio::ip::address peer_;
    ConnectionCount::Ticket& ticket_;
    Common& common_;
    bool is_proxied_;
    RequestReader reader_;
    std::vector<char> received_;
    std::size_t served_ = 0;
    bool busy_ = false;        // a request has begun and is not answered yet
    bool drops_body_ = false;  // of a verified sender, who must read its answer
};

}  // namespace countersign::gateway
