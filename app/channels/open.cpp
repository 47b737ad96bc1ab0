// SPDX-License-Identifier: Apache-2.0
#include "app/channels/open.hpp"

#include "app/channels/platform.hpp"

namespace countersign::app {

Error error_of(const std::string& channel, const Error& why) {
    return {why.code, "channel " + channel + ": " + why.detail};
}

LanguageOf languages_of(const Host& host) {
    return [bridge = host.bridge.get()](const std::string& principal) {
        const auto* person = bridge->configuration().person_of(principal);
        return person == nullptr ? std::string{} : person->language;
    };
}

Result<void> open_channels(Host& host, const ChannelChoices& choices, std::span<const ChannelEntry> registry) {
    host.bridge->hub().on_refused([&host](const std::string& line) { host.say(line); });
    for (const auto& [name, channel] : host.bridge->configuration().channels) {
        const auto* entry = channel_entry(channel.kind, registry);
        Result<void> opened = Error{Errc::unsupported, "this release cannot start " + channel.kind};
        if (entry != nullptr && entry->open != nullptr) opened = add_platform(host, channel, entry->open);
        if (entry != nullptr && entry->open_screen != nullptr) opened = entry->open_screen(host, channel, choices);
        if (!opened) return error_of(name, opened.error());
    }
    return {};
}

}  // namespace countersign::app
