// SPDX-License-Identifier: Apache-2.0
// Sidecar: what this process is when another one is the hub of the state directory.
#pragma once

#include "app/agent_home.hpp"
#include "app/keys.hpp"
#include "app/system_clock.hpp"
#include "app/system_ids.hpp"
#include "core/configuration.hpp"
#include "sidecar/client.hpp"

#include <memory>
#include <string>

namespace countersign::app {

struct Host;

class Sidecar {
public:
    // Reaches the hub that holds `state`. The configuration gives rules only, which must be the hub's own: joined()
    // says whether they are. Who may decide is the hub's to say. `say` hears what became of what `asker` asks, and of
    // the hub.
    [[nodiscard]] static Result<std::unique_ptr<Sidecar>>
    open(boost::asio::any_io_executor executor, const std::string& state,
         std::shared_ptr<const Configuration> configuration, std::function<void(const std::string&)> say, Asker asker);
    boost::asio::awaitable<Result<void>> joined() { return client_->joined(); }
    // After joined(): our agent is halted, in words for the person who started it. Empty if it isn't.
    [[nodiscard]] std::string halted() const { return client_->halted(); }
    // Something was asked and no hub could be.
    [[nodiscard]] bool went_without_hub() const { return client_->went_without_hub(); }
    [[nodiscard]] AgentHome home();
    boost::asio::awaitable<void> close() { return client_->close(); }

private:
    Sidecar(boost::asio::any_io_executor executor, std::shared_ptr<const Configuration> configuration, Keys keys,
            std::unique_ptr<SystemClock> clock, std::unique_ptr<sidecar::SidecarClient> client);

    boost::asio::any_io_executor executor_;
    std::shared_ptr<const Configuration> configuration_;
    std::unique_ptr<SystemClock> clock_;  // the client borrows it before the rest exists
    SystemIds ids_{*clock_};
    Keys keys_;
    security::CurrentRedactor redactor_;
    std::unique_ptr<sidecar::SidecarClient> client_;
};

// Another process holds the state directory, as `busy` says: our agent asks there, over its local socket. One bot, one
// log.
boost::asio::awaitable<Result<void>>
join_hub(Host& host, std::string state, std::shared_ptr<const Configuration> configuration, Asker asker, Error busy);

// One state directory has one hub: says what to do about it.
[[nodiscard]] Error with_state_hint(Error busy);

}  // namespace countersign::app
