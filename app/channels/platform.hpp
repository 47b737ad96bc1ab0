// SPDX-License-Identifier: Apache-2.0
// Joins any platform with the hub: the one place where a host gets the work of a chat channel.
#pragma once

#include "app/host.hpp"
#include "channels/platform.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"

namespace countersign::app {

// Opens the channel and adds it to the hub and to the host's parts, which start it.
[[nodiscard]] Result<void> add_platform(Host& host, const ChannelConfig& channel, channels::OpenPlatform open);

}  // namespace countersign::app
