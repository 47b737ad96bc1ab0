// SPDX-License-Identifier: Apache-2.0
// Opens the configured channels.
#pragma once

#include "app/channels/registry.hpp"
#include "app/host.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"

#include <functional>
#include <string>

namespace countersign::channels::terminal {
class Terminal;
struct TerminalOptions;
}  // namespace countersign::channels::terminal

namespace countersign::app {

struct ChannelChoices {
    bool plain = false;                  // of a terminal
    bool child_shares_terminal = false;  // then a terminal channel refuses to start
};

// Adds the configured channels to the host's parts, without starting them. A channel that cannot be opened stops the
// command: a request that nobody sees would wait for ever.
[[nodiscard]] Result<void> open_channels(Host& host, const ChannelChoices& choices,
                                         std::span<const ChannelEntry> registry = channel_registry());

// Says which channel it is about.
[[nodiscard]] Error error_of(const std::string& channel, const Error& why);

// The language of a person, with the configuration of the moment it is asked; empty for who has none.
using LanguageOf = std::function<std::string(const std::string& principal)>;
[[nodiscard]] LanguageOf languages_of(const Host& host);

// Adds a terminal to the hub and to the host's parts. While it runs, whatever else of the process would write to it
// goes through it: a complaint, or a line of the access log, which anyone on the network can cause.
[[nodiscard]] Result<channels::terminal::Terminal*> add_terminal(Host& host,
                                                                 channels::terminal::TerminalOptions options);

// For the registry: adds the terminal to the parts of the host.
[[nodiscard]] Result<void> open_terminal(Host& host, const ChannelConfig& channel, const ChannelChoices& choices);

}  // namespace countersign::app
