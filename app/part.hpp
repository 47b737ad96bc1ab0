// SPDX-License-Identifier: Apache-2.0
// Part: one thing that lives as long as the hub: a channel, a listener, the anchoring of the log. The host has a list
// of them in the order of the flow and calls each of these functions on all of them, in that order. A part overrides
// what concerns it.
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

    // Before anything that comes after it in the flow is opened. Channels start side by side. An error ends the
    // command.
    virtual boost::asio::awaitable<Result<void>> start() { co_return Result<void>{}; }
    // Beside the agent. Cancelled at the end of everything, if it is still running.
    virtual boost::asio::awaitable<void> run() { co_return; }
    // Before the hub stops: nothing more comes in.
    virtual boost::asio::awaitable<void> stop_front() { co_return; }
    // After the hub stopped: what is still to be said is said.
    virtual boost::asio::awaitable<void> finish() { co_return; }
    // After the log was closed in order.
    virtual boost::asio::awaitable<void> log_closed() { co_return; }

    // Takes another configuration without a restart. Reads and checks all that it needs, changes nothing and may block,
    // on another thread. The function it returns, if any, puts that into force on the owner's thread and cannot fail.
    virtual Result<std::function<void()>> prepare(const Configuration&) { return std::function<void()>{}; }

    // Why it cannot do its work now, a line each.
    [[nodiscard]] virtual std::vector<std::string> unready() const { return {}; }
    // What it has to send. A channel that shows everything at once has no outbox.
    [[nodiscard]] virtual std::optional<NamedOutbox> outbox() const { return std::nullopt; }
    // Who it is and how it hears, for the operator.
    [[nodiscard]] virtual std::string introduction() const { return {}; }
    // Where the gateway brings what it received for this channel.
    [[nodiscard]] virtual std::vector<gateway::Webhook> webhooks() { return {}; }
};

}  // namespace countersign::app
