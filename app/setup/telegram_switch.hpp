// SPDX-License-Identifier: Apache-2.0
// `setup telegram --webhook URL` and `--poll`: how the updates of a bot that is configured already come in.
#pragma once

#include "core/result.hpp"

#include <string>

namespace countersign::app {

struct WebhookSwitch {
    std::string config;  // a whole path
    std::string state;
    std::string channel;   // empty: the only one of kind telegram
    std::string url;       // https://host[/prefix]; empty: back to polling
    std::string listen;    // empty: where it listens now, or else on 127.0.0.1:8080
    bool force = false;    // also a webhook that is not ours
    bool keep_old = true;  // as FILE.bak, or FILE.bak.1 and so on
};

// Tells Telegram and writes the configuration. Errc::conflict if a hub runs and would
// have to start again, or if the webhook is somebody else's.
[[nodiscard]] Result<void> switch_updates(const WebhookSwitch& wanted);

// A hub that runs takes the bot's updates, and the state directory, away from us.
[[nodiscard]] Result<void> no_hub_runs(const std::string& state);

// What was in the file is in a copy beside it afterwards, and which one is said.
[[nodiscard]] Result<void> keep_old_configuration(const std::string& config);

}  // namespace countersign::app
