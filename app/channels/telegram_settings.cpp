// SPDX-License-Identifier: Apache-2.0
#include "app/channels/telegram_settings.hpp"

#include "app/config/fields.hpp"
#include "core/limits.hpp"
#include "security/secret_file.hpp"

namespace countersign::app {

namespace telegram = channels::telegram;

Result<telegram::TelegramOptions> telegram_settings(const ChannelConfig& channel, WallTime now) {
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
    if (const auto file = setting("previous_webhook_secret_file"); !file.empty()) {
        auto secret = security::find_secret(file, credentials);
        if (!secret) return secret.error();
        options.previous_webhook_secret = std::move(*secret);
        options.previous_until = parse_moment(setting("previous_until"));
        if (options.previous_until && *options.previous_until > now + limits::secret_overlap_max) {
            return Error{Errc::bad_config,
                         "previous_until is more than 30 days ahead: a secret that was replaced ends soon"};
        }
    }
    options.webhook_url = setting("webhook_url");
    if (auto url = setting("base_url"); !url.empty()) options.base_url = std::move(url);
    if (setting("mode") == "webhook") options.mode = telegram::Mode::webhook;
    return options;
}

}  // namespace countersign::app
