// SPDX-License-Identifier: Apache-2.0
#include "app/join_hub.hpp"

#include "app/host.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "config/effective.hpp"
#include "security/display/display.hpp"

namespace countersign::app {

Result<std::unique_ptr<Sidecar>> Sidecar::open(boost::asio::any_io_executor executor, const std::string& state,
                                               std::shared_ptr<const Configuration> configuration,
                                               std::function<void(const std::string&)> say, Asker asker,
                                               bool asks_once) {
    keep_memory_private();
    auto keys = load_keys(state);
    if (!keys) return keys.error();
    auto clock = std::make_unique<SystemClock>();
    auto client =
        sidecar::SidecarClient::open(executor, sidecar::socket_of(state), config::rules_fingerprint(*configuration),
                                     *clock, std::move(say), std::move(asker), asks_once);
    if (!client) return client.error();
    return std::unique_ptr<Sidecar>{new Sidecar{std::move(executor), std::move(configuration), std::move(*keys),
                                                std::move(clock), std::move(*client)}};
}

Sidecar::Sidecar(boost::asio::any_io_executor executor, std::shared_ptr<const Configuration> configuration, Keys keys,
                 std::unique_ptr<SystemClock> clock, std::unique_ptr<sidecar::SidecarClient> client)
    : executor_{std::move(executor)},
      configuration_{std::move(configuration)},
      clock_{std::move(clock)},
      keys_{std::move(keys)},
      redactor_{keys_.fingerprint.duplicate(), own_secrets(keys_, *configuration_)},
      client_{std::move(client)} {}

void Sidecar::session_over(const Asker& who) { client_->session_over(who, "the session ended"); }

AgentHome Sidecar::home() {
    return {.executor = executor_,
            .hub = *client_,
            .clock = *clock_,
            .ids = ids_,
            .redactor = redactor_,
            .rules = [this] { return configuration_->rules; },
            .always = [this](const std::string& runtime) { return configuration_->always_of(runtime); }};
}

Error with_state_hint(Error busy) {
    if (busy.code == Errc::busy) busy.detail += ": end it first; --state DIR uses another";
    return busy;
}

boost::asio::awaitable<Result<void>>
join_hub(Host& host, std::string state, std::shared_ptr<const Configuration> configuration, Asker asker, Error busy) {
    auto joined = Sidecar::open(
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
