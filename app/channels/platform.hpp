// SPDX-License-Identifier: Apache-2.0
// Connects any chat platform to the hub: the only place where a host deals with chat channels.
#pragma once

#include "app/host.hpp"
#include "channels/platform.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"

namespace countersign::app {

// Opens the channel and adds it to the hub and to the host's parts. The host starts it.
[[nodiscard]] Result<void> add_platform(Host& host, const ChannelConfig& channel, channels::OpenPlatform open);

}  // namespace countersign::app
