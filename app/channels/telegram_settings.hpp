// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/telegram/telegram.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"

namespace countersign::app {

// Reads the secrets that [channels.<name>] names. Errc::missing_secret with what to do.
[[nodiscard]] Result<channels::telegram::TelegramOptions> telegram_settings(const ChannelConfig& channel);

}  // namespace countersign::app
