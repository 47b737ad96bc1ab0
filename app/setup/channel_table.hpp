// SPDX-License-Identifier: Apache-2.0
// Changes to one channel of a configuration, as text: all else stays byte for byte as it was. Pure.
#pragma once

#include "channels/setup.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::app::setup {

// The whole address of a channel's webhook, from https://host[:port][/prefix]. Errc::bad_config without https (unless
// it is this machine), and for a query. `title` is the platform's.
[[nodiscard]] Result<std::string> webhook_address(const std::string& title, const ChannelConfig& channel,
                                                  std::string_view given);

// The same configuration with other settings in one channel's table. Errc::unsupported if that table is not written as
// [channels.<name>].
[[nodiscard]] Result<std::string> with_settings(std::string_view toml, const channels::ChannelChange& change);
// With a [gateway] that listens: where it is wanted, or where it does now, or on 127.0.0.1:8080. Errc::conflict if it
// listens elsewhere now than it is wanted to: others may count on it.
[[nodiscard]] Result<std::string> with_listener(std::string toml, const std::optional<ListenAddress>& now,
                                                const std::string& wanted);

// Which of these settings are there, and the listener, if no other channel waits for a webhook: what this channel needs
// for its webhook only. It is named and not removed: the operator may have written it, or mean to go back.
[[nodiscard]] std::vector<std::string> only_for_webhook(const Configuration& configuration, const std::string& channel,
                                                        const std::vector<std::string>& settings);

}  // namespace countersign::app::setup
