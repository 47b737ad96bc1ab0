// SPDX-License-Identifier: Apache-2.0
#include "app/open_hub.hpp"

#include "app/anchoring/open.hpp"
#include "app/hub_listing.hpp"
#include "app/narration.hpp"
#include "app/outbox_listing.hpp"
#include "app/output.hpp"
#include "app/reload.hpp"
#include "channels/order_words.hpp"
#include "config/effective.hpp"

namespace countersign::app {

namespace asio = boost::asio;

namespace {

// Without a terminal channel, which shows the cards itself, the operator would see nothing. A person who started an
// agent in another process that asks here is always told.
struct Narration final : Part {
    Hub::Subscription heard;
};

Result<void> narrate(Host& host) {
    host.narrates = own_terminal(host.bridge->configuration()) == nullptr;
    auto heard = host.bridge->hub().subscribe([&host](const Hub::Event& event) {
        const auto line = narrated(event, host.bridge->configuration(), host.bridge->hub().grants().all());
        if (line && host.narrates) host.say(*line);
        if (!host.sidecars) return;
        host.sidecars->narrate(event.request->id, line.value_or(""), event.kind == Hub::Event::Kind::ended);
    });
    if (!heard) return heard.error();
    auto narration = std::make_unique<Narration>();
    narration->heard = std::move(heard->subscription);
    host.parts.push_back(std::move(narration));
    return {};
}

Result<void> open_sidecars(Host& host, const std::string& file) {
    auto& bridge = *host.bridge;
    auto sidecars = sidecar::Server::open(
        host.io.get_executor(), sidecar::socket_of(bridge.state()), bridge.hub().asking(), bridge.clock(),
        config::rules_fingerprint(bridge.configuration()), [&host](const std::string& what) { host.say(what); });
    if (!sidecars) return sidecars.error();
    host.sidecars = std::move(*sidecars);
    if (!file.empty()) open_reload(host, file);
    host.sidecars->on_reload(host.reload);
    host.sidecars->take_orders(bridge.hub(), [](const Order& order, const Result<Carried>& carried) {
        return channels::order_words(order, carried, {}).text();
    });
    host.sidecars->on_join([&bridge](const Asker& asker) { return halted_in(bridge.hub(), asker); });
    host.sidecars->on_list_outbox(
        [&host] { return json::Value{outbox_listing(host.outboxes(), host.bridge->hub().dead_letters())}; });
    host.sidecars->on_list_hub([&host, facts = HubFacts{.started = bridge.clock().boot(), .configuration = file}](
                                   const std::string& what) { return hub_listing(what, host, facts); });
    return {};
}

}  // namespace

std::string halted_in(const Hub& hub, const Asker& asker) {
    const auto* halt = hub.halts().of(asker);
    return halt == nullptr ? std::string{} : halt_notice(*halt);
}

asio::awaitable<Result<void>> open_fronts(Host& host, ChannelChoices choices, AccessLog log) {
    if (auto opened = open_channels(host, choices); !opened) co_return opened;
    if (auto started = co_await start_parts(host); !started) co_return started;
    co_return open_gateway(host, log);
}

asio::awaitable<Result<void>> open_hub(Host& host, HubChoices choices) {
    tell("This hub runs as the same user as the agent: it guards against mistakes, not against an agent that "
         "attacks it (docs/THREAT_MODEL.md).\n");
    if (auto opened = co_await open_fronts(host, choices.channels, choices.access_log); !opened) co_return opened;
    if (auto anchored = open_anchoring(host); !anchored) co_return anchored;
    if (auto told = narrate(host); !told) co_return told;
    host.bridge->take_up_earlier();
    if (auto opened = open_sidecars(host, choices.file); !opened) co_return opened;
    co_return co_await start_parts(host);
}

}  // namespace countersign::app
