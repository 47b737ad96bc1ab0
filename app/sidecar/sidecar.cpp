// SPDX-License-Identifier: Apache-2.0
#include "app/sidecar/sidecar.hpp"

#include "app/process.hpp"
#include "config/effective.hpp"

namespace countersign::app::sidecar {

Result<std::unique_ptr<Sidecar>> Sidecar::open(boost::asio::any_io_executor executor, const std::string& state,
                                               std::shared_ptr<const Configuration> configuration,
                                               std::function<void(const std::string&)> say, Asker asker) {
    keep_memory_private();
    auto keys = load_keys(state);
    if (!keys) return keys.error();
    auto clock = std::make_unique<SystemClock>();
    auto client = SidecarClient::open(executor, socket_of(state), config::rules_fingerprint(*configuration), *clock,
                                      std::move(say), std::move(asker));
    if (!client) return client.error();
    return std::unique_ptr<Sidecar>{new Sidecar{std::move(executor), std::move(configuration), std::move(*keys),
                                                std::move(clock), std::move(*client)}};
}

Sidecar::Sidecar(boost::asio::any_io_executor executor, std::shared_ptr<const Configuration> configuration, Keys keys,
                 std::unique_ptr<SystemClock> clock, std::unique_ptr<SidecarClient> client)
    : executor_{std::move(executor)},
      configuration_{std::move(configuration)},
      clock_{std::move(clock)},
      keys_{std::move(keys)},
      redactor_{keys_.fingerprint.duplicate(), own_secrets(keys_, *configuration_)},
      client_{std::move(client)} {}

AgentHome Sidecar::home() {
    return {.executor = executor_,
            .hub = *client_,
            .clock = *clock_,
            .ids = ids_,
            .redactor = redactor_,
            .rules = [this] { return configuration_->rules; },
            .always = [this](const std::string& runtime) { return configuration_->always_of(runtime); }};
}

}  // namespace countersign::app::sidecar
