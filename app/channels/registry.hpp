// SPDX-License-Identifier: Apache-2.0
// The channel registry: one entry per kind of channel. All code that lists or looks up kinds uses it.
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
    // Opens a channel of a chat platform. Null: only a later release can.
    Result<std::unique_ptr<channels::Platform>> (*open)(channels::PlatformContext context) = nullptr;
    // Opens a channel on a screen of this process, which adds its own part to the host.
    Result<void> (*open_screen)(Host& host, const ChannelConfig& channel, const ChannelChoices& choices) = nullptr;
    // The platform's half of `setup <kind>`, the dialogue that connects it. Null: nothing to set up.
    const channels::SetupKind* setup = nullptr;
    // For `check render <kind>`, which prints what would be sent. Null: cannot be printed.
    const channels::Preview* preview = nullptr;
    // For `check signature <kind>`, which explains why a delivery would be refused. Null: it receives no deliveries.
    const channels::SignatureCheck* signature = nullptr;
};

// In the order in which a person's ids are recorded.
[[nodiscard]] std::span<const ChannelEntry> channel_registry();

// Null if there is no such kind.
[[nodiscard]] const ChannelEntry* channel_entry(std::string_view kind,
                                                std::span<const ChannelEntry> registry = channel_registry());

// "countersign setup <kind>" with the first kind that has a dialogue, for help and errors.
[[nodiscard]] std::string setup_example();

// For config::parse_config and config::load_config: the kinds of channels and runtimes, languages, and keys.
[[nodiscard]] config::Known known_kinds(std::span<const ChannelEntry> registry = channel_registry());

}  // namespace countersign::app
