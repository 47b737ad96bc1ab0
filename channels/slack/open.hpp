// SPDX-License-Identifier: Apache-2.0
// Slack for the registry: from the settings of a channel to an app that runs.
#pragma once

#include "channels/platform.hpp"
#include "channels/slack/slack.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <memory>

namespace countersign::channels::slack {

[[nodiscard]] Result<std::unique_ptr<Platform>> open(PlatformContext context);

// Opens connections of Socket Mode.
[[nodiscard]] Connect socket_connect(const boost::asio::any_io_executor& executor);

// What is in the settings, secrets included. Errc::missing_secret with what to do; Errc::bad_config for a previous
// secret that would be valid for longer than secret_overlap_max from now.
[[nodiscard]] Result<SlackOptions> options_of(const Settings& settings, WallTime now);

}  // namespace countersign::channels::slack
