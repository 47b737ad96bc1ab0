// SPDX-License-Identifier: Apache-2.0
// Telegram for the registry: from the settings of a channel to a bot that runs.
#pragma once

#include "channels/platform.hpp"
#include "channels/telegram/telegram.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <chrono>
#include <memory>

namespace countersign::limits {

// So much older than the truth the kept time may be; with a long poll it stays well below polling_gap_max.
inline constexpr std::chrono::seconds caught_up_kept_every{10};

}  // namespace countersign::limits

namespace countersign::channels::telegram {

[[nodiscard]] Result<std::unique_ptr<Platform>> open(PlatformContext context);

// What is in the settings, secrets included. Errc::missing_secret with what to do; Errc::bad_config for a previous
// secret that would be valid for longer than secret_overlap_max from now.
[[nodiscard]] Result<TelegramOptions> options_of(const Settings& settings, WallTime now);

// Where to continue after a restart, from the channel's memory, and how to keep it up to date. Errc::damaged if what
// was kept can't be read. Borrows the memory.
[[nodiscard]] Result<void> remember(TelegramOptions& options, Memory& memory);

}  // namespace countersign::channels::telegram
