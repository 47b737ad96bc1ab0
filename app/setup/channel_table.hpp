// SPDX-License-Identifier: Apache-2.0
// Changes one channel in the text of a configuration; everything else stays byte for byte as it was. Pure.
#pragma once

#include "channels/setup.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::app::setup {

// The full address of a channel's webhook, from https://host[:port][/prefix]. Errc::bad_config without https (except
// for this machine) or with a query. `title` is the platform's.
[[nodiscard]] Result<std::string> webhook_address(const std::string& title, const ChannelConfig& channel,
                                                  std::string_view given);

// Replaces settings in one channel's table. Errc::unsupported if that table is not written as [channels.<name>].
[[nodiscard]] Result<std::string> with_settings(std::string_view toml, const channels::ChannelChange& change);
// Adds a [gateway] that listens: at the wanted address, or the current one, or 127.0.0.1:8080. Errc::conflict if it
// already listens elsewhere, because others may rely on that.
[[nodiscard]] Result<std::string> with_listener(std::string toml, const std::optional<ListenAddress>& now,
                                                const std::string& wanted);

// The given settings that are present, and the listener if no other channel needs it: everything that this channel
// needs only for its webhook. They are reported but not removed: the operator may have written them, or plan to go
// back.
[[nodiscard]] std::vector<std::string> only_for_webhook(const Configuration& configuration, const std::string& channel,
                                                        const std::vector<std::string>& settings);

}  // namespace countersign::app::setup
