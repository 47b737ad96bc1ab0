// SPDX-License-Identifier: Apache-2.0
// The channel registry: one entry for each kind of channel. Everything that lists kinds or looks one up asks here.
#pragma once

#include "config/config.hpp"
#include "core/channel_kind.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels {
class Platform;
struct PlatformContext;
struct Preview;
struct SetupKind;
struct SignatureCheck;
}  // namespace countersign::channels

namespace countersign::app {

struct ChannelChoices;
struct Host;

struct ChannelEntry {
    const ChannelKind& kind;
    // Opens a channel of a platform. Null: a later release can.
    Result<std::unique_ptr<channels::Platform>> (*open)(channels::PlatformContext context) = nullptr;
    // The same for a screen of this process, which adds its own part to the host.
    Result<void> (*open_screen)(Host& host, const ChannelConfig& channel, const ChannelChoices& choices) = nullptr;
    // The platform's half of `setup <kind>`, the dialogue that connects it. Null: there is nothing to set up.
    const channels::SetupKind* setup = nullptr;
    // For `check render <kind>`, which prints what would be sent. Null: it can't be printed.
    const channels::Preview* preview = nullptr;
    // For `check signature <kind>`, which explains why a delivery would be refused. Null: nothing is brought to it.
    const channels::SignatureCheck* signature = nullptr;
};

// In the order in which a person's ids are recorded.
[[nodiscard]] std::span<const ChannelEntry> channel_registry();

// Null: there is no such kind.
[[nodiscard]] const ChannelEntry* channel_entry(std::string_view kind,
                                                std::span<const ChannelEntry> registry = channel_registry());

// "countersign setup <kind>" of the first kind that has a dialogue, for help and errors.
[[nodiscard]] std::string setup_example();

// For config::parse_config and config::load_config: kinds of channels and of runtimes, languages, keys.
[[nodiscard]] config::Known known_kinds(std::span<const ChannelEntry> registry = channel_registry());

}  // namespace countersign::app
