// SPDX-License-Identifier: Apache-2.0
// The composition root: the hub of a state directory with its parts in the order of the flow.
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
    std::string file = {};  // the configuration, which a reload reads again; empty if there is none
};

// Where people are asked and answer: the channels, side by side, and then what [gateway] says. The host has its bridge.
boost::asio::awaitable<Result<void>> open_fronts(Host& host, ChannelChoices choices, AccessLog log);

// Nobody else holds the state directory: the fronts and everything that a hub has besides. The host has its bridge.
boost::asio::awaitable<Result<void>> open_hub(Host& host, HubChoices choices);

// Why the hub would refuse whatever this agent asks; empty if it wouldn't.
[[nodiscard]] std::string halted_in(const Hub& hub, const Asker& asker);

}  // namespace countersign::app
