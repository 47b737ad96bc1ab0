// SPDX-License-Identifier: Apache-2.0
#include "app/channels/telegram_settings.hpp"

#include "security/secret_file.hpp"

namespace countersign::app {

namespace telegram = channels::telegram;

Result<telegram::TelegramOptions> telegram_settings(const ChannelConfig& channel) {
    const auto setting = [&](const std::string& name) {
        const auto found = channel.settings.find(name);
        return found == channel.settings.end() ? std::string{} : found->second;
    };
    const auto credentials = security::credentials_directory();
    telegram::TelegramOptions options{.name = channel.name};
    auto token = security::find_secret(setting("token_file"), credentials);
    if (!token) return token.error();
    options.token = std::move(*token);
    if (const auto file = setting("webhook_secret_file"); !file.empty()) {
        auto secret = security::find_secret(file, credentials);
        if (!secret) return secret.error();
        options.webhook_secret = std::move(*secret);
    }
    if (auto url = setting("base_url"); !url.empty()) options.base_url = std::move(url);
    if (setting("mode") == "webhook") options.mode = telegram::Mode::webhook;
    return options;
}

}  // namespace countersign::app
