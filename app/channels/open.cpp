// SPDX-License-Identifier: Apache-2.0
#include "app/channels/open.hpp"

#include <algorithm>

namespace countersign::app {
namespace {

struct Opener {
    std::string_view kind;
    Result<void> (*open)(Host& host, const ChannelConfig& channel, const ChannelChoices& choices);
};
constexpr Opener openers[] = {{"terminal", open_terminal}, {"telegram", open_telegram}};

}  // namespace

LanguageOf languages_of(const Host& host) {
    return [bridge = host.bridge.get()](const std::string& principal) {
        const auto* person = bridge->configuration().person_of(principal);
        return person == nullptr ? std::string{} : person->language;
    };
}

Result<void> open_channels(Host& host, const ChannelChoices& choices) {
    host.bridge->hub().on_refused([&host](const std::string& line) { host.say(line); });
    for (const auto& [name, channel] : host.bridge->configuration().channels) {
        const auto* opener = std::ranges::find(openers, channel.kind, &Opener::kind);
        const auto opened = opener == std::end(openers)
                                ? Result<void>{Error{Errc::unsupported, "this release cannot start " + channel.kind}}
                                : opener->open(host, channel, choices);
        if (!opened) return Error{opened.error().code, "channel " + name + ": " + opened.error().detail};
    }
    return {};
}

}  // namespace countersign::app
