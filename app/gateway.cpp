// SPDX-License-Identifier: Apache-2.0
#include "app/gateway.hpp"
#include "app/output.hpp"

#include "gateway/health.hpp"
#include "gateway/server.hpp"
#include "gateway/webhooks.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace countersign::app {

namespace asio = boost::asio;

namespace {

class HubReadiness final : public Readiness {
public:
    explicit HubReadiness(const Bridge& bridge) : bridge_{bridge} {}
    [[nodiscard]] std::vector<std::string> unready() const override {
        const auto healthy = bridge_.log_health();
        if (healthy) return {};
        return {"audit log unavailable: " + healthy.error().detail};
    }

private:
    const Bridge& bridge_;
};

struct Front : Service {
    std::unique_ptr<HubReadiness> readiness;
    std::unique_ptr<gateway::Health> health;
    std::unique_ptr<gateway::Server> server;
};

asio::awaitable<void> drain(gateway::Server& server) { co_await server.drain(); }

Result<void> serve(Host& host, std::unique_ptr<Front> front, const ListenAddress& address,
                   std::vector<gateway::Route> routes) {
    const auto& config = host.bridge->configuration().gateway;
    gateway::ServerOptions options{.address = address.host, .port = address.port, .proxies = config.proxies};
    if (!config.certificate_file.empty()) options.tls = {config.certificate_file, config.key_file};
    auto opened =
        gateway::Server::open(host.io.get_executor(), std::move(options), std::move(routes),
                              {.clock = host.bridge->clock(),
                               .access = [](const std::string& line) { tell("{}\n", line); },
                               .stray = [&host](const std::string& what) { host.say("a request failed: " + what); }});
    if (!opened) return opened.error();
    front->server = std::move(*opened);
    auto* server = front->server.get();
    tell("listening on {} port {}\n", address.host, server->port());
    host.beside.emplace_back([server] { return server->run(); });
    host.fronts_end.emplace_back([server] { return drain(*server); });
    host.services.push_back(std::move(front));
    return {};
}

}  // namespace

Result<void> open_gateway(Host& host) {
    const auto& config = host.bridge->configuration().gateway;
    if (!host.webhooks.empty() && !config.listen) {
        return Error{Errc::bad_config, "channel " + host.webhooks.front().channel +
                                           " waits for a webhook and nothing listens: write listen = "
                                           "\"127.0.0.1:8080\" in [gateway], or mode = \"poll\""};
    }
    if (config.listen) {
        auto routes = gateway::webhook_routes(host.webhooks);
        if (!routes) return routes.error();
        if (auto served = serve(host, std::make_unique<Front>(), *config.listen, std::move(*routes)); !served) {
            return served;
        }
    }
    if (!config.admin) return {};
    auto front = std::make_unique<Front>();
    front->readiness = std::make_unique<HubReadiness>(*host.bridge);
    front->health = std::make_unique<gateway::Health>(*front->readiness);
    auto routes = front->health->routes();
    return serve(host, std::move(front), *config.admin, std::move(routes));
}

}  // namespace countersign::app
