// SPDX-License-Identifier: Apache-2.0
// Part: something that lives as long as the hub, e.g. a channel, a listener or the anchoring of the log. The host keeps
// the parts in the order of the flow and calls each of these functions on all of them, in that order. A part overrides
// the ones it needs.
#pragma once

#include "app/outbox_listing.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"
#include "gateway/webhooks.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace countersign::app {

class Part {
public:
    Part() = default;
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    virtual ~Part() = default;

    // Runs before any later part of the flow is opened. Channels start in parallel. An error ends the command.
    virtual boost::asio::awaitable<Result<void>> start() { co_return Result<void>{}; }
    // Runs while the agent works. Cancelled at shutdown if it is still running.
    virtual boost::asio::awaitable<void> run() { co_return; }
    // Runs before the hub stops. From here on, nothing more comes in.
    virtual boost::asio::awaitable<void> stop_front() { co_return; }
    // Runs after the hub has stopped, to send what is still waiting.
    virtual boost::asio::awaitable<void> finish() { co_return; }
    // Runs after the log was closed in order.
    virtual boost::asio::awaitable<void> log_closed() { co_return; }

    // Prepares another configuration without a restart. Runs on another thread: it may read, check and block, but must
    // not change anything. The function it returns, if any, applies the configuration on the owner's thread and must
    // not fail.
    virtual Result<std::function<void()>> prepare(const Configuration&) { return std::function<void()>{}; }

    // Why the part cannot do its work now, one line per reason.
    [[nodiscard]] virtual std::vector<std::string> unready() const { return {}; }
    // The messages waiting to be sent. A channel that shows everything at once has no outbox.
    [[nodiscard]] virtual std::optional<NamedOutbox> outbox() const { return std::nullopt; }
    // For the operator: which account the part uses, and how it receives answers.
    [[nodiscard]] virtual std::string introduction() const { return {}; }
    // The webhooks whose requests the gateway passes to this part.
    [[nodiscard]] virtual std::vector<gateway::Webhook> webhooks() { return {}; }
};

}  // namespace countersign::app
