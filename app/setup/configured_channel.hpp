// SPDX-License-Identifier: Apache-2.0
// ChannelInFile: a configured channel, while `setup` changes how it works.
#pragma once

#include "channels/setup.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"

#include <string>
#include <vector>

namespace countersign::app::setup {

// Fails if a hub runs: it would take the bot's updates, and it holds the state directory.
[[nodiscard]] Result<void> no_hub_runs(const std::string& state);

// Saves the old configuration file in a copy next to it, and tells the operator its name.
[[nodiscard]] Result<void> keep_old_configuration(const std::string& config);

class ChannelInFile final : public channels::ConfiguredChannel {
public:
    struct Wanted {
        std::string config;  // a full path
        std::string state;
        std::string kind;
        std::string title;     // of the platform
        std::string channel;   // empty: the only channel of its kind
        bool keep_old = true;  // as FILE.bak, FILE.bak.1 and so on
    };
    // Errc::bad_config if the file or the channel is missing or invalid; the problems have been reported by then.
    [[nodiscard]] static Result<ChannelInFile> find(Wanted wanted);

    [[nodiscard]] const std::string& name() const override { return channel_.name; }
    [[nodiscard]] const channels::Settings& settings() const override { return settings_; }
    [[nodiscard]] const std::string& file() const override { return wanted_.config; }
    [[nodiscard]] Result<void> no_hub_runs() const override { return setup::no_hub_runs(wanted_.state); }
    [[nodiscard]] Result<std::string> address(const std::string& given) const override;
    [[nodiscard]] Result<channels::KeptSecret> secret_or_new(const std::string& setting,
                                                             const std::string& file) override;
    [[nodiscard]] Result<channels::KeptSecret> secret_or_asked(const channels::Credential& credential,
                                                               const CheckSecret& check) override;
    [[nodiscard]] Result<void> plan(channels::ChannelChange change) override;
    [[nodiscard]] Result<void> plan_listener(const std::string& listen) override;
    [[nodiscard]] Result<void> write() override;
    [[nodiscard]] std::vector<std::string> only_for_webhook(const std::vector<std::string>& settings) const override;

private:
    ChannelInFile(Wanted wanted, Configuration configuration, ChannelConfig channel, std::string text);
    [[nodiscard]] bool has_all_of(const ChannelConfig& channel) const;

    Wanted wanted_;
    Configuration configuration_;
    ChannelConfig channel_;
    channels::Settings settings_;
    std::string old_;
    std::string text_;  // including the planned changes
    channels::ChannelChange change_;
    std::vector<channels::KeptSecret> asked_;  // written together with the change
};

}  // namespace countersign::app::setup
