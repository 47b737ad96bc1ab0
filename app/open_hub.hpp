// SPDX-License-Identifier: Apache-2.0
// The composition root: opens the hub of a state directory with its parts, in the order of the flow.
#pragma once

#include "app/channels/open.hpp"
#include "app/gateway.hpp"
#include "app/host.hpp"
#include "core/asker.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>

namespace countersign::app {

struct HubChoices {
    ChannelChoices channels = {};
    AccessLog access_log = AccessLog::left_out;
    std::string file = {};  // the configuration file for reloads; empty if there is none
};

// Opens the fronts: the channels in parallel, then the listeners of [gateway]. Precondition: the host has its bridge.
boost::asio::awaitable<Result<void>> open_fronts(Host& host, ChannelChoices choices, AccessLog log);

// Opens the fronts and all other parts of a hub. Precondition: the host has its bridge, which holds the state
// directory.
boost::asio::awaitable<Result<void>> open_hub(Host& host, HubChoices choices);

// Why the hub would refuse every request of this agent; empty if it would not.
[[nodiscard]] std::string halted_in(const Hub& hub, const Asker& asker);

}  // namespace countersign::app
