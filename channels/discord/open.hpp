// SPDX-License-Identifier: Apache-2.0
// Discord for the registry: from the settings of a channel to a bot that runs.
#pragma once

#include "channels/discord/discord.hpp"
#include "channels/platform.hpp"
#include "core/result.hpp"

#include <memory>

namespace countersign::channels::discord {

[[nodiscard]] Result<std::unique_ptr<Platform>> open(PlatformContext context);

// Opens connections to the Gateway.
[[nodiscard]] Connect socket_connect(const boost::asio::any_io_executor& executor);

// What is in the settings, the token included. Errc::missing_secret with what to do.
[[nodiscard]] Result<DiscordOptions> options_of(const Settings& settings);

}  // namespace countersign::channels::discord
