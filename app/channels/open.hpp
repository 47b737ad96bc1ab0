// SPDX-License-Identifier: Apache-2.0
// Opens the configured channels. The one place that knows every kind.
#pragma once

#include "app/commands/hosting.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"

#include <functional>
#include <string>

namespace countersign::app {

struct ChannelChoices {
    bool plain = false;                  // of a terminal
    bool child_shares_terminal = false;  // then a terminal channel refuses to start
};

// A channel that cannot start stops the command: a request that nobody sees would wait for ever. Blocks while a
// platform is asked who we are.
[[nodiscard]] Result<void> open_channels(Host& host, const ChannelChoices& choices);

// The language of a person, with the configuration of the moment it is asked; empty for who has none.
using LanguageOf = std::function<std::string(const std::string& principal)>;
[[nodiscard]] LanguageOf languages_of(const Host& host);

// One each; they add their work to the host.
[[nodiscard]] Result<void> open_terminal(Host& host, const ChannelConfig& channel, const ChannelChoices& choices);
[[nodiscard]] Result<void> open_telegram(Host& host, const ChannelConfig& channel, const ChannelChoices& choices);

}  // namespace countersign::app
