// SPDX-License-Identifier: Apache-2.0
// Server: one listener with its routes. The program has two servers: a public one for webhooks, and the operator's one
// on loopback.
#pragma once

#include "core/hub/task_group.hpp"
#include "core/ports/clock.hpp"
#include "core/result.hpp"
#include "gateway/access_log.hpp"
#include "gateway/body_budget.hpp"
#include "gateway/bounds.hpp"
#include "gateway/connection_count.hpp"
#include "gateway/handover.hpp"
#include "gateway/http_connection.hpp"
#include "gateway/listener.hpp"
#include "gateway/refusal_limit.hpp"
#include "gateway/request_rate.hpp"
#include "gateway/router.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign::gateway {

struct ServerOptions {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;
    std::optional<TlsFiles> tls = {};
    // Proxies whose header about the client is trusted. A proxy that is not listed is treated as one client with one
    // budget.
    std::vector<std::string> proxies = {};
    ProxyHeader proxy_header = ProxyHeader::x_forwarded_for;
    // False for the operator's own listener: a flood from outside must not block the health pages.
    bool rates_clients = true;
    Bounds bounds = {};
};

struct ServerPorts {
    Clock& clock;
    LineSink access;                                     // must not throw
    std::function<void(const std::string& what)> stray;  // called for an exception from a handler; must not throw
};

class Server {
public:
    // Listens when this returns, but accepts nothing before run(). The routes' handlers must outlive the server.
    static Result<std::unique_ptr<Server>> open(boost::asio::any_io_executor executor, ServerOptions options,
                                                std::vector<Endpoint> routes, ServerPorts ports);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    // Precondition: drain() has resolved, or the executor never runs again.
    ~Server();

    [[nodiscard]] std::uint16_t port() const { return listener_.port(); }
    [[nodiscard]] std::size_t connections() const { return count_.total(); }
    [[nodiscard]] std::size_t connections_evicted() const { return count_.evicted(); }
    [[nodiscard]] std::size_t connections_refused() const { return count_.refused(); }

    // See Listener::show.
    void show(std::shared_ptr<boost::asio::ssl::context> tls) { listener_.show(std::move(tls)); }

    // Serves until drain(); resolves when the last connection and the last handler have ended.
    boost::asio::awaitable<void> run();

    // Accepts no more connections and closes idle ones at once. Requests that have begun and running handlers may
    // finish until the deadline; then they are ended too. Resolves when nothing is left.
    boost::asio::awaitable<void> drain(std::chrono::milliseconds deadline = limits::gateway_drain_max);

private:
    Server(boost::asio::any_io_executor executor, ServerOptions options, Listener listener, Router router,
           Proxies proxies, ServerPorts ports);
    boost::asio::awaitable<void> serve(boost::asio::ip::tcp::socket socket, boost::asio::ip::address peer,
                                       std::unique_ptr<ConnectionCount::Ticket> ticket);
    boost::asio::awaitable<void> emptied();

    ServerOptions options_;
    ServerPorts ports_;
    Listener listener_;
    Router router_;
    Proxies proxies_;
    ConnectionCount count_;
    RefusalLimit refusals_;
    RequestRate rate_;
    BodyBudget unverified_;
    Handover handover_;
    Common common_;
    std::list<HttpConnection*> sessions_;
    TaskGroup serving_;
};

}  // namespace countersign::gateway
