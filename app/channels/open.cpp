// SPDX-License-Identifier: Apache-2.0
#include "app/channels/open.hpp"

#include "app/channels/platform.hpp"

#include <vector>

namespace countersign::app {

LanguageOf languages_of(const Host& host) {
    return [bridge = host.bridge.get()](const std::string& principal) {
        const auto* person = bridge->configuration().person_of(principal);
        return person == nullptr ? std::string{} : person->language;
    };
}

Result<void> open_channels(Host& host, const ChannelChoices& choices, std::span<const ChannelEntry> registry) {
    host.bridge->hub().on_refused([&host](const std::string& line) { host.say(line); });
    std::vector<JoinedPlatform> joined;
    for (const auto& [name, channel] : host.bridge->configuration().channels) {
        const auto* entry = channel_entry(channel.kind, registry);
        if (entry != nullptr && entry->open != nullptr) {
            auto platform = join_platform(host, channel, entry->open);
            if (!platform) return platform.error();
            joined.push_back(*platform);
            continue;
        }
        const auto opened = entry == nullptr || entry->open_screen == nullptr
                                ? Result<void>{Error{Errc::unsupported, "this release cannot start " + channel.kind}}
                                : entry->open_screen(host, channel, choices);
        if (!opened) return Error{opened.error().code, "channel " + name + ": " + opened.error().detail};
    }
    return start_platforms(host, joined);
}

}  // namespace countersign::app
