// SPDX-License-Identifier: Apache-2.0
// Sidecar: the hub's client in this process, when another process is the hub of the state directory.
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
    // Connects to the hub that holds `state`. The configuration only supplies rules, which must match the hub's:
    // joined() checks that. The hub decides who may decide. `say` is told about the requests of `asker`, and about the
    // hub. `asks_once`: for one call of a session that another process owns.
    [[nodiscard]] static Result<std::unique_ptr<Sidecar>> open(boost::asio::any_io_executor executor,
                                                               const std::string& state,
                                                               std::shared_ptr<const Configuration> configuration,
                                                               std::function<void(const std::string&)> say, Asker asker,
                                                               bool asks_once = false);
    boost::asio::awaitable<Result<void>> joined() { return client_->joined(); }
    // After joined(): why our agent is halted, for the person who started it. Empty if it is not halted.
    [[nodiscard]] std::string halted() const { return client_->halted(); }
    // Whether the agent asked something while no hub could be reached.
    [[nodiscard]] bool went_without_hub() const { return client_->went_without_hub(); }
    // Tells the hub that this session is over, although we don't own it. What it was granted for itself ends.
    void session_over(const Asker& who);
    [[nodiscard]] bool connected() const { return client_->connected(); }
    [[nodiscard]] AgentHome home();
    boost::asio::awaitable<void> close() { return client_->close(); }

private:
    Sidecar(boost::asio::any_io_executor executor, std::shared_ptr<const Configuration> configuration, Keys keys,
            std::unique_ptr<SystemClock> clock, std::unique_ptr<sidecar::SidecarClient> client);

    boost::asio::any_io_executor executor_;
    std::shared_ptr<const Configuration> configuration_;
    std::unique_ptr<SystemClock> clock_;  // declared first: the client borrows it
    SystemIds ids_{*clock_};
    Keys keys_;
    security::CurrentRedactor redactor_;
    std::unique_ptr<sidecar::SidecarClient> client_;
};

// Called when another process holds the state directory, as `busy` says: our agent asks that hub over its local socket.
// This way there is one bot and one log.
boost::asio::awaitable<Result<void>>
join_hub(Host& host, std::string state, std::shared_ptr<const Configuration> configuration, Asker asker, Error busy);

// Adds advice to the error: a state directory has only one hub.
[[nodiscard]] Error with_state_hint(Error busy);

}  // namespace countersign::app
