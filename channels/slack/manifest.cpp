// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/manifest.hpp"

#include <algorithm>

namespace countersign::channels::slack {

namespace {

// A line of the manifest, and what follows it for a webhook: a key of the same table.
std::string_view key_after(std::string_view line) {
    if (line.starts_with("    - command: ")) return "      url: ";
    if (line == "  interactivity:" || line == "  event_subscriptions:") return "    request_url: ";
    return {};
}

}  // namespace

std::string webhook_manifest(std::string_view manifest, std::string_view address) {
    std::string made = "# The Slack app for Countersign, with a webhook. Paste this at https://api.slack.com/apps.\n"
                       "# Slack checks the addresses when you save them: run the hub before that.\n";
    while (!manifest.empty()) {
        const auto end = std::min(manifest.find('\n'), manifest.size());
        const auto line = manifest.substr(0, end);
        manifest.remove_prefix(std::min(end + 1, manifest.size()));
        if (line.starts_with('#')) continue;  // about Socket Mode
        made += line == "  socket_mode_enabled: true" ? "  socket_mode_enabled: false" : line;
        made += '\n';
        if (const auto key = key_after(line); !key.empty()) made.append(key).append(address).append("\n");
    }
    return made;
}

}  // namespace countersign::channels::slack
