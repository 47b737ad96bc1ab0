// SPDX-License-Identifier: Apache-2.0
#include "app/config/channel_kind.hpp"

#include <algorithm>

namespace countersign::app {

namespace {

using enum SettingType;

constexpr Setting terminal_settings[] = {{"plain", boolean}};
constexpr Setting telegram_settings[] = {{"token_file", secret_file, true},
                                         {"webhook_secret_file", secret_file},
                                         {"previous_webhook_secret_file", secret_file},
                                         {"previous_until", moment},
                                         {"webhook_url", url},
                                         {"base_url", url},
                                         {"mode", mode}};
constexpr Setting slack_settings[] = {{"token_file", secret_file, true},
                                      {"signing_secret_file", secret_file},
                                      {"app_token_file", secret_file},
                                      {"base_url", url}};
constexpr Setting discord_settings[] = {
    {"token_file", secret_file, true}, {"public_key", public_key}, {"application_id", digits}, {"base_url", url}};
constexpr Setting sms_settings[] = {{"account_sid", text, true},
                                    {"auth_token_file", secret_file, true},
                                    {"from", phone, true},
                                    {"webhook_url", url},
                                    {"base_url", url}};
constexpr Setting whatsapp_settings[] = {{"token_file", secret_file, true},
                                         {"app_secret_file", secret_file, true},
                                         {"verify_token_file", secret_file, true},
                                         {"phone_number_id", digits, true},
                                         {"base_url", url}};
constexpr Setting signal_settings[] = {{"account", phone, true}, {"base_url", url, true}};

// Over SMS a sender can be forged, so only the code counts; a chat platform or the kernel vouches for its user; the
// console has its own login.
constexpr ChannelKind kinds[] = {
    {"terminal", "terminal", Assurance::chat, Placing::one_place, terminal_settings},
    {"telegram", "telegram", Assurance::chat, Placing::chat_or_people, telegram_settings, true, true},
    {"slack", "slack", Assurance::chat, Placing::chat_or_people, slack_settings},
    {"discord", "discord", Assurance::chat, Placing::chat_or_people, discord_settings},
    {"sms", "sms", Assurance::sms_code, Placing::people, sms_settings},
    {"whatsapp", "whatsapp", Assurance::chat, Placing::people, whatsapp_settings},
    {"signal", "signal", Assurance::chat, Placing::chat_or_people, signal_settings},
    {"console", "token", Assurance::passkey, Placing::one_place, {}},
};

}  // namespace

std::span<const ChannelKind> known_kinds() { return kinds; }

const ChannelKind* kind_named(std::string_view name) {
    const auto* found = std::ranges::find(kinds, name, &ChannelKind::name);
    return found == std::end(kinds) ? nullptr : found;
}

}  // namespace countersign::app
