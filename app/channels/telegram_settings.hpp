// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/telegram/telegram.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

namespace countersign::app {

// Reads the secrets that [channels.<name>] names. Errc::missing_secret with what to do; Errc::bad_config for a previous
// secret that would count for longer than secret_overlap_max from now.
[[nodiscard]] Result<channels::telegram::TelegramOptions> telegram_settings(const ChannelConfig& channel, WallTime now);

}  // namespace countersign::app
