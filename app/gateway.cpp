// SPDX-License-Identifier: Apache-2.0
#include "app/gateway.hpp"
#include "app/metrics.hpp"
#include "app/output.hpp"

#include "gateway/health.hpp"
#include "gateway/metrics.hpp"
#include "gateway/server.hpp"
#include "gateway/webhooks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace countersign::app {

namespace asio = boost::asio;

namespace {

class HubReadiness final : public Readiness {
public:
    explicit HubReadiness(const Host& host) : host_{host} {}
    [[nodiscard]] std::vector<std::string> unready() const override { return host_.unready(); }

private:
    const Host& host_;
};

class HubMetrics final : public Metrics {
public:
    explicit HubMetrics(const Host& host) : host_{host} {}
    [[nodiscard]] std::vector<Metric> metrics() const override { return metrics_of(host_); }

private:
    const Host& host_;
};

struct Front final : Part {
    asio::awaitable<void> run() override { return server->run(); }
    asio::awaitable<void> stop_front() override { co_await server->drain(); }
    // A renewed certificate is in the same files.
    Result<std::function<void()>> prepare(const Configuration& wanted) override {
        if (!with_tls) return std::function<void()>{};
        auto tls = gateway::load_tls({wanted.gateway.certificate_file, wanted.gateway.key_file});
        if (!tls) return tls.error();
        return std::function<void()>{[this, tls = std::move(*tls)] { server->show(tls); }};
    }

    bool with_tls = false;
    std::unique_ptr<HubReadiness> readiness;
    std::unique_ptr<HubMetrics> metrics;
    std::unique_ptr<gateway::MetricsPage> page;
    std::unique_ptr<gateway::Health> health;
    std::unique_ptr<gateway::Server> server;
};

// Only the public listener has a certificate and proxies.
gateway::ServerOptions public_options(const GatewayConfig& config) {
    gateway::ServerOptions options{
        .address = config.listen->host, .port = config.listen->port, .proxies = config.proxies};
    if (config.proxies_write_forwarded) options.proxy_header = gateway::ProxyHeader::forwarded;
    if (!config.certificate_file.empty()) options.tls = {config.certificate_file, config.key_file};
    return options;
}

void write_access(const std::string& line) { tell("{}\n", line); }
void leave_access_out(const std::string&) {}

Result<void> serve(Host& host, AccessLog log, std::unique_ptr<Front> front, gateway::ServerOptions options,
                   std::vector<gateway::Endpoint> routes) {
    const auto address = options.address;
    front->with_tls = options.tls.has_value();
    auto opened =
        gateway::Server::open(host.io.get_executor(), std::move(options), std::move(routes),
                              {.clock = host.bridge->clock(),
                               .access = log == AccessLog::written ? write_access : leave_access_out,
                               .stray = [&host](const std::string& what) { host.say("a request failed: " + what); }});
    if (!opened) return opened.error();
    front->server = std::move(*opened);
    tell("listening on {} port {}\n", address, front->server->port());
    host.parts.push_back(std::move(front));
    return {};
}

}  // namespace

Result<void> open_gateway(Host& host, AccessLog log) {
    const auto& config = host.bridge->configuration().gateway;
    std::vector<gateway::Webhook> webhooks;
    for (const auto& part : host.parts) {
        std::ranges::move(part->webhooks(), std::back_inserter(webhooks));
    }
    if (!webhooks.empty() && !config.listen) {
        return Error{Errc::bad_config, "channel " + webhooks.front().channel +
                                           " waits for a webhook and nothing listens: write listen = "
                                           "\"127.0.0.1:8080\" in [gateway], or mode = \"poll\""};
    }
    if (config.listen) {
        auto routes = gateway::webhook_routes(webhooks);
        if (!routes) return routes.error();
        if (auto served = serve(host, log, std::make_unique<Front>(), public_options(config), std::move(*routes));
            !served) {
            return served;
        }
    }
    if (!config.admin) return {};
    auto front = std::make_unique<Front>();
    front->readiness = std::make_unique<HubReadiness>(host);
    front->health = std::make_unique<gateway::Health>(*front->readiness);
    front->metrics = std::make_unique<HubMetrics>(host);
    front->page = std::make_unique<gateway::MetricsPage>(*front->metrics);
    auto routes = front->health->routes();
    routes.push_back(front->page->route());
    return serve(host, log, std::move(front),
                 {.address = config.admin->host, .port = config.admin->port, .rates_clients = false},
                 std::move(routes));
}

}  // namespace countersign::app
