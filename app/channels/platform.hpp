// SPDX-License-Identifier: Apache-2.0
// Joins any platform with the hub: this is the one place where a host gets the work of a chat channel.
#pragma once

#include "app/commands/hosting.hpp"
#include "channels/platform.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"

#include <vector>

namespace countersign::app {

// A channel that is joined, and not started yet.
struct JoinedPlatform {
    const ChannelConfig* channel;
    channels::Platform* platform;  // the host's
};

// Opens the channel and adds its work to the host. The host ends it, also if it is never started.
[[nodiscard]] Result<JoinedPlatform> join_platform(Host& host, const ChannelConfig& channel,
                                                   channels::OpenPlatform open);

// The one question that must be answered before anything else starts, asked of all at once: does the platform know us?
// Blocks. A platform that was not reached has said so itself, and is tried again.
[[nodiscard]] Result<void> start_platforms(Host& host, const std::vector<JoinedPlatform>& joined);

}  // namespace countersign::app
