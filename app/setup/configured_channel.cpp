// SPDX-License-Identifier: Apache-2.0
#include "app/setup/configured_channel.hpp"

#include "app/channels/registry.hpp"
#include "app/input.hpp"
#include "app/output.hpp"
#include "app/setup/ask.hpp"
#include "app/setup/channel_table.hpp"
#include "app/setup/files.hpp"
#include "audit/state_directory.hpp"
#include "config/config.hpp"
#include "security/encoding.hpp"
#include "security/secret_file.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace countersign::app::setup {

namespace fs = std::filesystem;

namespace {

std::string setting(const ChannelConfig& channel, const std::string& name) {
    const auto found = channel.settings.find(name);
    return found == channel.settings.end() ? std::string{} : found->second;
}

Result<Configuration> configuration_in(const std::string& file) {
    auto loaded = config::load_config(file, known_kinds());
    if (const auto* problems = std::get_if<std::vector<config::ConfigProblem>>(&loaded)) {
        for (const auto& problem : *problems) tell("{}\n", print(problem));
        return Error{Errc::bad_config, file + ": invalid configuration"};
    }
    return std::get<Configuration>(std::move(loaded));
}

Result<ChannelConfig> channel_of(const Configuration& configuration, const std::string& kind,
                                 const std::string& wanted) {
    const ChannelConfig* found = nullptr;
    for (const auto& [name, channel] : configuration.channels) {
        if (channel.kind != kind || (!wanted.empty() && name != wanted)) continue;
        if (found != nullptr) return Error{Errc::bad_config, "there are several bots: say which with --channel NAME"};
        found = &channel;
    }
    if (found == nullptr) return Error{Errc::bad_config, "the configuration has no such channel of kind " + kind};
    return *found;
}

}  // namespace

Result<void> no_hub_runs(const std::string& state) {
    std::error_code ignored;
    if (!fs::exists(state, ignored)) return {};
    const auto directory = audit::StateDirectory::open(state);
    if (directory) return {};
    if (directory.error().code != Errc::busy) return directory.error();
    return Error{Errc::busy, directory.error().detail + ": end it first, or give another --state"};
}

Result<void> keep_old_configuration(const std::string& config) {
    const auto kept = keep_copy(config);
    if (!kept) return kept.error();
    if (!kept->empty()) tell("What was in {} is in {} now.\n", config, *kept);
    return {};
}

Result<ChannelInFile> ChannelInFile::find(Wanted wanted) {
    auto configuration = configuration_in(wanted.config);
    if (!configuration) return configuration.error();
    auto channel = channel_of(*configuration, wanted.kind, wanted.channel);
    if (!channel) return channel.error();
    auto text = read_file(wanted.config);
    if (!text) return text.error();
    return ChannelInFile{std::move(wanted), std::move(*configuration), std::move(*channel), std::move(*text)};
}

ChannelInFile::ChannelInFile(Wanted wanted, Configuration configuration, ChannelConfig channel, std::string text)
    : wanted_{std::move(wanted)},
      configuration_{std::move(configuration)},
      channel_{std::move(channel)},
      settings_{channel_.settings},
      old_{std::move(text)},
      text_{old_} {}

Result<std::string> ChannelInFile::address(const std::string& given) const {
    return webhook_address(wanted_.title, channel_, given);
}

Result<channels::KeptSecret> ChannelInFile::secret_or_new(const std::string& name, const std::string& usual) {
    auto file = settings_.text(name);
    if (file.empty()) file = (fs::path{wanted_.config}.parent_path() / usual).string();
    std::error_code ignored;
    if (file.starts_with('/') && !fs::exists(fs::symlink_status(file, ignored))) {
        constexpr std::size_t bytes = 32;
        const auto made = security::hex(security::Secret::random(bytes).bytes());
        if (const auto written = write_private(file, made, false); !written) return written.error();
        tell("Wrote a new secret to {}, readable by you alone.\n", file);
    }
    auto secret = security::find_secret(file, security::credentials_directory());
    if (!secret) return secret.error();
    return channels::KeptSecret{.value = std::move(*secret), .file = std::move(file)};
}

Result<channels::KeptSecret> ChannelInFile::secret_or_asked(const channels::Credential& credential,
                                                            const CheckSecret& check) {
    const std::string name{credential.setting};
    auto file = settings_.text(name);
    if (!file.empty()) {
        auto secret = settings_.secret(name);
        if (!secret) return secret.error();
        if (const auto right = check(*secret); !right) return right.error();
        return channels::KeptSecret{.value = std::move(*secret), .file = std::move(file)};
    }
    auto secret = ask_credential(credential, check);
    if (!secret) return secret.error();
    file = (fs::path{wanted_.config}.parent_path() / credential.file).string();
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(file, ignored))) file += "-" + channel_.name;  // it belongs to another channel
    asked_.push_back({.value = secret->duplicate(), .file = file});
    return channels::KeptSecret{.value = std::move(*secret), .file = std::move(file)};
}

bool ChannelInFile::has_all_of(const ChannelConfig& channel) const {
    return std::ranges::all_of(change_.set,
                               [&](const auto& one) { return setting(channel, one.first) == one.second; }) &&
           std::ranges::none_of(change_.remove, [&](const auto& key) { return channel.settings.contains(key); });
}

Result<void> ChannelInFile::plan(channels::ChannelChange change) {
    change.channel = channel_.name;
    change_ = std::move(change);
    if (has_all_of(channel_)) return {};
    auto text = with_settings(text_, change_);
    if (!text) return text.error();
    text_ = std::move(*text);
    return {};
}

Result<void> ChannelInFile::plan_listener(const std::string& listen) {
    auto text = with_listener(text_, configuration_.gateway.listen, listen);
    if (!text) return text.error();
    text_ = std::move(*text);
    return {};
}

// Refuses to write unless the changed text parses as the intended configuration, e.g. because of unusual syntax.
Result<void> ChannelInFile::write() {
    const auto& file = wanted_.config;
    if (text_ == old_) return {};
    auto parsed = config::parse_config(text_, file, known_kinds());
    const auto* configuration = std::get_if<Configuration>(&parsed);
    if (configuration == nullptr || !has_all_of(configuration->channels.at(channel_.name))) {
        std::string lines = "[channels." + channel_.name + "]";
        for (const auto& [key, value] : change_.set) lines += "\n" + key + " = \"" + value + '"';
        return Error{Errc::unsupported, file + " cannot be changed by us; write into it:\n" + lines};
    }
    for (const auto& secret : asked_) {
        if (const auto kept = write_private(secret.file, secret.value.reveal(), false); !kept) return kept;
        tell("Wrote {}, readable by you alone.\n", secret.file);
    }
    asked_.clear();
    if (wanted_.keep_old) {
        if (const auto kept = keep_old_configuration(file); !kept) return kept;
    }
    if (const auto written = write_private(file, text_, true); !written) return written;
    tell("Wrote {}.\n", file);
    return {};
}

std::vector<std::string> ChannelInFile::only_for_webhook(const std::vector<std::string>& settings) const {
    return setup::only_for_webhook(configuration_, channel_.name, settings);
}

}  // namespace countersign::app::setup
