// SPDX-License-Identifier: Apache-2.0
#include "app/open_hub.hpp"

#include "app/anchoring/open.hpp"
#include "app/hub_listing.hpp"
#include "app/narration.hpp"
#include "app/outbox_listing.hpp"
#include "app/output.hpp"
#include "app/reload.hpp"
#include "config/effective.hpp"
#include "security/display/display.hpp"

namespace countersign::app {

namespace asio = boost::asio;

namespace {

// The terminal channel shows the cards itself; without one the person who started us would see nothing. A person who
// started an agent in another process that asks here is told in any case.
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
    host.sidecars->take_orders(bridge.hub());
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

Error with_state_hint(Error busy) {
    if (busy.code == Errc::busy) busy.detail += ": end it first; --state DIR uses another";
    return busy;
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

asio::awaitable<Result<void>> join_hub(Host& host, std::string state,
                                       std::shared_ptr<const Configuration> configuration, Asker asker, Error busy) {
    auto joined = sidecar::Sidecar::open(
        host.io.get_executor(), state, std::move(configuration), [&host](const std::string& what) { host.say(what); },
        std::move(asker));
    if (!joined) {
        co_return with_state_hint(
            {busy.code, busy.detail + ", and it takes no sidecar (" + joined.error().detail + ")"});
    }
    host.sidecar = std::move(*joined);
    const auto hub = security::display(busy.detail, security::DisplayMode::line);
    if (const auto taken = co_await host.sidecar->joined(); !taken) {
        if (taken.error().code != Errc::conflict) co_return Error{busy.code, hub + ", and " + taken.error().detail};
        co_return Error{Errc::conflict, hub + ", and it uses another configuration: " + taken.error().detail +
                                            "; start with the hub's configuration, or with another --state"};
    }
    if (const auto halted = host.sidecar->halted(); !halted.empty()) co_return Error{Errc::not_authorised, halted};
    tell("{}; this agent asks there, and people, routes and channels are those of that hub.\n", hub);
    co_return Result<void>{};
}

}  // namespace countersign::app
