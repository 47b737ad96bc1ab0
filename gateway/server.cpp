// SPDX-License-Identifier: Apache-2.0
#include "gateway/server.hpp"

#include "gateway/first_of.hpp"

#include <sys/resource.h>
#include <utility>

namespace countersign::gateway {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

Result<Proxies> read_proxies(const ServerOptions& options) {
    Proxies proxies{.addresses = {}, .header = options.proxy_header};
    for (const auto& text : options.proxies) {
        boost::system::error_code failed;
        proxies.addresses.push_back(asio::ip::make_address(text, failed));
        if (failed) return Error{Errc::bad_config, '"' + text + "\" is not an IP address of a proxy"};
    }
    return proxies;
}

// The current limit on this process's open descriptors.
std::size_t descriptors() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    return static_cast<std::size_t>(limit.rlim_cur);
}

}  // namespace

Server::Server(asio::any_io_executor executor, ServerOptions options, Listener listener, Router router, Proxies proxies,
               ServerPorts ports)
    : options_{std::move(options)},
      ports_{std::move(ports)},
      listener_{std::move(listener)},
      router_{std::move(router)},
      proxies_{std::move(proxies)},
      count_{options_.bounds.connections, options_.bounds.connections_per_client},
      refusals_{options_.bounds.refusals_per_minute, options_.bounds.refused_clients},
      rate_{{.per_second = options_.bounds.requests_per_second,
             .burst = options_.bounds.requests_burst,
             .clients = options_.bounds.rated_clients}},
      unverified_{options_.bounds.unverified_bytes, options_.bounds.unverified_free},
      handover_{executor, ports_.clock, options_.bounds, ports_.stray},
      common_{.bounds = options_.bounds,
              .router = router_,
              .proxies = proxies_,
              .clock = ports_.clock,
              .access = ports_.access,
              .handover = handover_,
              .refusals = refusals_,
              .unverified = unverified_,
              .rate = options_.rates_clients ? &rate_ : nullptr},
      serving_{std::move(executor), ports_.stray} {}

Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::open(asio::any_io_executor executor, ServerOptions options,
                                             std::vector<Endpoint> routes, ServerPorts ports) {
    auto router = Router::make(std::move(routes));
    if (!router) return router.error();
    auto proxies = read_proxies(options);
    if (!proxies) return proxies.error();
    options.bounds.connections = connections_within(options.bounds.connections, descriptors());
    auto listener = Listener::open(executor, options.address, options.port, options.tls);
    if (!listener) return listener.error();
    return std::unique_ptr<Server>{new Server{std::move(executor), std::move(options), std::move(*listener),
                                              std::move(*router), std::move(*proxies), std::move(ports)}};
}

asio::awaitable<void> Server::run() {
    while (auto socket = co_await listener_.accept()) {
        boost::system::error_code gone;
        const auto peer = socket->remote_endpoint(gone);
        if (gone) continue;
        // The client behind a configured proxy is counted once its header has arrived. A connection over the limit is
        // closed unread: an answer would cost what the limit is there to save.
        std::optional<ClientAddress> client;
        if (!proxies_.contain(peer.address())) client.emplace(peer.address());
        auto ticket = count_.admit(client);
        if (ticket) serving_.spawn(serve(std::move(*socket), peer.address(), std::move(ticket)));
    }
    co_await emptied();
}

asio::awaitable<void> Server::serve(tcp::socket socket, asio::ip::address peer,
                                    std::unique_ptr<ConnectionCount::Ticket> ticket) {
    const auto counted = std::move(ticket);
    HttpConnection session{std::move(socket), listener_.tls(), std::move(peer), *counted, common_};
    struct Registered {
        std::list<HttpConnection*>& sessions;
        std::list<HttpConnection*>::iterator place;
        ~Registered() { sessions.erase(place); }
    } const registered{sessions_, sessions_.insert(sessions_.end(), &session)};
    co_await session.run();
}

asio::awaitable<void> Server::emptied() {
    co_await serving_.join();
    co_await handover_.join();
}

asio::awaitable<void> Server::drain(std::chrono::milliseconds deadline) {
    common_.draining = true;
    listener_.close();
    for (auto* session : sessions_) session->end_if_idle();
    co_await first_of(emptied(), ports_.clock.sleep_until(ports_.clock.boot() + deadline));
    serving_.cancel();
    handover_.cancel();
    co_await emptied();
}

}  // namespace countersign::gateway
