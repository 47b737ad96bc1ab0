// SPDX-License-Identifier: Apache-2.0
#include "app/channels/secrets.hpp"

#include "app/input.hpp"
#include "config/document.hpp"
#include "config/fields.hpp"
#include "core/channel_kind.hpp"
#include "core/limits.hpp"
#include "security/secret_file.hpp"

#include <algorithm>

namespace countersign::app {
namespace {

struct SecretSetting {
    std::string channel;
    std::string key;
    std::string file;
};

std::vector<SecretSetting> secret_settings(const Configuration& configuration) {
    std::vector<SecretSetting> found;
    for (const auto& [name, channel] : configuration.channels) {
        if (channel.facts == nullptr) continue;
        for (const auto& setting : channel.facts->settings) {
            const auto value = channel.settings.find(std::string{setting.name});
            if (setting.type != SettingType::secret_file || value == channel.settings.end()) continue;
            found.push_back({.channel = name, .key = std::string{setting.name}, .file = value->second});
        }
    }
    return found;
}

const config::Node* member(const config::Node* node, std::string_view key) {
    const auto* table = node == nullptr ? nullptr : node->table();
    if (table == nullptr) return nullptr;
    const auto found = std::ranges::find(*table, key, &config::TomlEntry::key);
    return found == table->end() ? nullptr : &found->value;
}

}  // namespace

std::vector<security::KnownSecret> channel_secrets(const Configuration& configuration) {
    std::vector<security::KnownSecret> known;
    for (const auto& setting : secret_settings(configuration)) {
        const auto secret = security::find_secret(setting.file, security::credentials_directory());
        if (!secret) continue;
        known.push_back({.value = std::string{secret->reveal()}});
        // In a bot's token the part after the colon is the secret, and must also be masked by itself.
        const auto colon = secret->reveal().find(':');
        if (colon != std::string_view::npos)
            known.push_back({.value = std::string{secret->reveal().substr(colon + 1)}});
    }
    return known;
}

std::vector<config::ConfigProblem> secret_problems(const std::filesystem::path& file,
                                                   const Configuration& configuration, WallTime now) {
    config::Problems problems{file.string()};
    const auto text = read_file(file.string());
    const auto document = text ? config::read_document(*text, problems) : config::Node{};
    const auto report = [&](const std::string& channel, const std::string& key, const std::string& what) {
        const auto* node = member(member(member(&document, "channels"), channel), key);
        problems.add(node == nullptr ? config::Position{} : node->at,
                     config::key_path(config::key_path("channels", channel), key), what);
    };
    for (const auto& setting : secret_settings(configuration)) {
        const auto secret = security::find_secret(setting.file, security::credentials_directory());
        if (!secret) report(setting.channel, setting.key, secret.error().detail);
    }
    const std::string key = "previous_until";
    for (const auto& [name, channel] : configuration.channels) {
        const auto written = channel.settings.find(key);
        const auto until = written == channel.settings.end() ? std::nullopt : config::parse_moment(written->second);
        if (until && *until > now + limits::secret_overlap_max) {
            report(name, key,
                   "more than 30 days ahead: write an earlier moment, because a replaced secret must end soon");
        }
    }
    return std::move(problems).sorted();
}

}  // namespace countersign::app
