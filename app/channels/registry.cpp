// SPDX-License-Identifier: Apache-2.0
#include "app/channels/registry.hpp"

#include "app/channels/later_kinds.hpp"
#include "app/channels/open.hpp"
#include "channels/telegram/kind.hpp"
#include "channels/telegram/open.hpp"
#include "channels/telegram/preview.hpp"
#include "channels/telegram/setup.hpp"
#include "channels/terminal/kind.hpp"

#include <algorithm>

namespace countersign::app {

std::span<const ChannelEntry> channel_registry() {
    static constexpr ChannelEntry entries[] = {
        {.kind = channels::telegram::kind,
         .open = channels::telegram::open,
         .setup = &channels::telegram::setup_kind,
         .preview = &channels::telegram::preview},
        {.kind = slack_kind},
        {.kind = discord_kind},
        {.kind = sms_kind},
        {.kind = channels::terminal::kind, .open_screen = open_terminal},
        {.kind = console_kind},
        {.kind = whatsapp_kind},
        {.kind = signal_kind},
    };
    return entries;
}

const ChannelEntry* channel_entry(std::string_view kind, std::span<const ChannelEntry> registry) {
    const auto found = std::ranges::find(registry, kind, [](const ChannelEntry& entry) { return entry.kind.name; });
    return found == registry.end() ? nullptr : &*found;
}

std::vector<KnownKind> known_kinds(std::span<const ChannelEntry> registry) {
    std::vector<KnownKind> known;
    for (const auto& entry : registry)
        known.push_back({&entry.kind, entry.open != nullptr || entry.open_screen != nullptr});
    return known;
}

std::string setup_example() {
    const auto entries = channel_registry();
    const auto first = std::ranges::find_if(entries, [](const auto& entry) { return entry.setup != nullptr; });
    return "countersign setup " + std::string{first->kind.name};
}

}  // namespace countersign::app
