// SPDX-License-Identifier: Apache-2.0
// Telegram's half of `countersign setup`: the bot's token, the person, and the two ways that updates come in.
#pragma once

#include "channels/setup.hpp"
#include "core/result.hpp"

#include <string_view>

namespace countersign::channels::telegram {

extern const SetupKind setup_kind;

// Errc::bad_config for a port that Telegram would not call. Pure.
[[nodiscard]] Result<void> check_webhook_port(std::string_view address);

}  // namespace countersign::channels::telegram
