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
    bool plain = false;                  // of the terminal channel
    bool child_shares_terminal = false;  // if so, a terminal channel refuses to start
};

// Adds the configured channels to the host's parts without starting them. A channel that cannot be opened ends the
// command: a request shown to no one would wait forever.
[[nodiscard]] Result<void> open_channels(Host& host, const ChannelChoices& choices,
                                         std::span<const ChannelEntry> registry = channel_registry());

// Adds the channel's name to the error.
[[nodiscard]] Error error_of(const std::string& channel, const Error& why);

// Looks up a person's language in the configuration of that moment; empty if none is set.
using LanguageOf = std::function<std::string(const std::string& principal)>;
[[nodiscard]] LanguageOf languages_of(const Host& host);

// Adds a terminal to the hub and to the host's parts. While it runs, all other output of the process to that terminal
// goes through it, e.g. complaints, or lines of the access log, which anyone on the network can cause.
[[nodiscard]] Result<channels::terminal::Terminal*> add_terminal(Host& host,
                                                                 channels::terminal::TerminalOptions options);

// For the registry: adds the terminal to the host's parts.
[[nodiscard]] Result<void> open_terminal(Host& host, const ChannelConfig& channel, const ChannelChoices& choices);

}  // namespace countersign::app
