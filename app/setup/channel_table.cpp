// SPDX-License-Identifier: Apache-2.0
#include "app/setup/channel_table.hpp"

#include "app/setup/files.hpp"
#include "config/listen_address.hpp"
#include "config/sections.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace countersign::app::setup {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// Compares without comments; such a header contains no strings.
bool is_header_of(std::string_view line, const std::string& channel) {
    const auto bare = trimmed(line.substr(0, line.find('#')));
    return bare == "[channels." + channel + "]" || bare == "[channels.\"" + channel + "\"]";
}

std::string_view key_of(std::string_view line) {
    const auto bare = trimmed(line);
    return bare.starts_with('#') ? std::string_view{} : trimmed(bare.substr(0, bare.find('=')));
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text = end == text.npos ? std::string_view{} : text.substr(end + 1);
    }
    return lines;
}

bool is_replaced(const channels::ChannelChange& change, std::string_view key) {
    return std::ranges::find(change.remove, key) != change.remove.end() ||
           std::ranges::find(change.set, key, &std::pair<std::string, std::string>::first) != change.set.end();
}

bool waits_for_webhook(const ChannelConfig& channel) {
    const auto mode = channel.settings.find("mode");
    return mode != channel.settings.end() && mode->second == "webhook";
}

}  // namespace

Result<std::string> webhook_address(const std::string& title, const ChannelConfig& channel, std::string_view given) {
    const auto bad = [](std::string why) { return Error{Errc::bad_config, std::move(why)}; };
    if (!config::is_web_address(given)) {
        return bad(title + " brings updates over https only: give --webhook https://your.host");
    }
    if (given.find_first_of("?#") != given.npos) return bad("the address of a webhook has no ? and no # here");
    while (given.ends_with('/')) given.remove_suffix(1);
    return std::string{given} + "/webhooks/" + channel.kind + "/" + channel.name;
}

Result<std::string> with_settings(std::string_view toml, const channels::ChannelChange& change) {
    std::string text;
    bool inside = false;
    bool found = false;
    for (const auto line : lines_of(toml)) {
        if (trimmed(line).starts_with('[')) inside = is_header_of(line, change.channel);
        if (inside && is_replaced(change, key_of(line))) continue;
        text.append(line).append("\n");
        if (!inside || !is_header_of(line, change.channel)) continue;
        found = true;
        for (const auto& [key, value] : change.set) text += key + " = " + toml_string(value) + '\n';
    }
    if (found) return text;
    return Error{Errc::unsupported,
                 "no table [channels." + change.channel + "] found; add one and run the command again"};
}

Result<std::string> with_listener(std::string toml, const std::optional<ListenAddress>& now,
                                  const std::string& wanted) {
    const auto asked = config::listen_address(wanted.empty() ? "127.0.0.1:8080" : wanted);
    if (!asked)
        return Error{Errc::bad_config, "--listen " + wanted + " is not an address; write for example 127.0.0.1:8080"};
    if (!now) {
        if (!toml.empty() && !toml.ends_with('\n')) toml += '\n';
        return toml + "\n[gateway]\nlisten = " + toml_string(config::print(*asked)) + "\n";
    }
    if (wanted.empty() || *now == *asked) return toml;
    return Error{Errc::conflict, "[gateway] listens on " + config::print(*now) + ": write " + config::print(*asked) +
                                     " there, or leave --listen away"};
}

std::vector<std::string> only_for_webhook(const Configuration& configuration, const std::string& channel,
                                          const std::vector<std::string>& settings) {
    std::vector<std::string> unused;
    for (const auto& key : settings) {
        if (configuration.channels.at(channel).settings.contains(key)) {
            unused.push_back(fmt::format("{} in [channels.{}]", key, channel));
        }
    }
    const bool needed = std::ranges::any_of(
        configuration.channels, [&](const auto& one) { return one.first != channel && waits_for_webhook(one.second); });
    if (configuration.gateway.listen && !needed) unused.emplace_back("listen in [gateway]");
    return unused;
}

}  // namespace countersign::app::setup
