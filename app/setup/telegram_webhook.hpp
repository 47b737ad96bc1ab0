// SPDX-License-Identifier: Apache-2.0
// What `setup telegram --webhook` and `--poll` are made of: the address, the lines of the configuration, three calls.
#pragma once

#include "channels/telegram/client.hpp"
#include "channels/telegram/webhook_info.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace countersign::app::setup {

// The whole address of a channel's webhook, from https://host[:port][/prefix]. Errc::bad_config for what Telegram would
// not call: no https (unless it is this machine), a port other than 443, 80, 88 and 8443, a query. Pure.
[[nodiscard]] Result<std::string> webhook_address(std::string_view given, const std::string& channel);

// The same configuration with other settings in one channel's table, all else byte for byte as it was. Pure.
// Errc::unsupported if that table does not stand there as [channels.<name>].
struct ChannelChange {
    std::string channel;
    std::vector<std::pair<std::string, std::string>> set;  // key, text
    std::vector<std::string> remove;
};
[[nodiscard]] Result<std::string> with_settings(std::string_view toml, const ChannelChange& change);
// With a [gateway] that listens: where it is wanted, or where it does now, or on 127.0.0.1:8080. Errc::conflict if it
// listens elsewhere now than it is wanted to: others may count on it. Pure.
[[nodiscard]] Result<std::string> with_listener(std::string toml, const std::optional<ListenAddress>& now,
                                                const std::string& wanted);

// What stays in the configuration when this channel polls, and only a webhook needs. It is named and not removed:
// somebody may have written it, or mean to go back. Pure.
[[nodiscard]] std::vector<std::string> unused_when_polling(const Configuration& configuration,
                                                           const std::string& channel);

// Sets the webhook. Errc::bad_config with Telegram's words if it does not want this address.
boost::asio::awaitable<Result<void>> set_webhook(const channels::telegram::TelegramClient& client, std::string url,
                                                 security::Secret secret);
boost::asio::awaitable<Result<channels::telegram::WebhookInfo>>
webhook_info(const channels::telegram::TelegramClient& client);
boost::asio::awaitable<Result<void>> remove_webhook(const channels::telegram::TelegramClient& client);

}  // namespace countersign::app::setup
