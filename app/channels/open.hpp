// SPDX-License-Identifier: Apache-2.0
// Opens the configured channels.
#pragma once

#include "app/channels/registry.hpp"
#include "app/commands/hosting.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>

namespace countersign::channels::terminal {
class Terminal;
}

namespace countersign::app {

struct ChannelChoices {
    bool plain = false;                  // of a terminal
    bool child_shares_terminal = false;  // then a terminal channel refuses to start
};

// A channel that cannot start stops the command: a request that nobody sees would wait for ever. Blocks while a
// platform is asked who we are.
[[nodiscard]] Result<void> open_channels(Host& host, const ChannelChoices& choices,
                                         std::span<const ChannelEntry> registry = channel_registry());

// The language of a person, with the configuration of the moment it is asked; empty for who has none.
using LanguageOf = std::function<std::string(const std::string& principal)>;
[[nodiscard]] LanguageOf languages_of(const Host& host);

// Runs the terminal. Whatever else of the process would write to it goes through it meanwhile: a complaint, or a line
// of the access log, which anyone on the network can cause.
boost::asio::awaitable<void> run_alone(channels::terminal::Terminal& screen, boost::asio::any_io_executor executor);

// For the registry: the terminal adds its work to the host, the others a command to the command line.
[[nodiscard]] Result<void> open_terminal(Host& host, const ChannelConfig& channel, const ChannelChoices& choices);
void add_setup_telegram(Command& setup);

}  // namespace countersign::app
