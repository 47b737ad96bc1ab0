// SPDX-License-Identifier: Apache-2.0
#include "app/channels/later_kinds.hpp"

#include "config/fields.hpp"

#include <algorithm>

namespace countersign::app {

namespace {

using enum SettingType;
using Read = std::optional<std::string>;

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

Read read_sms(const WrittenId& id) { return text_if(id, is_phone_number); }

Read read_token(const WrittenId& id) { return text_if(id, config::is_name); }

// The number without plus, or the business-scoped id, which stays when the number changes: US.13491208655302741918.
Read read_whatsapp(const WrittenId& id) {
    return text_if(id, [](std::string_view text) {
        if (is_digits(text, 7, 15)) return text[0] != '0';
        return text.size() > 3 && text[2] == '.' && is_digits(text.substr(3), 1, 20) &&
               std::ranges::all_of(text.substr(0, 2), [](char c) { return c >= 'A' && c <= 'Z'; });
    });
}

Read read_signal(const WrittenId& id) {
    return text_if(id, [](std::string_view text) {
        if (text.size() != 36) return false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
            const bool hex = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');
            if (dash ? text[i] != '-' : !hex) return false;
        }
        return true;
    });
}

}  // namespace

// A sender number can be forged, so only the code proves anything.
constinit const ChannelKind sms_kind{
    "sms",
    {"sms", "a phone number", read_sms, "write sms = \"+447700900123\", with country code and no spaces"},
    Assurance::sms_code,
    Placing::people,
    sms_settings};
constinit const ChannelKind whatsapp_kind{
    "whatsapp",
    {"whatsapp", "a WhatsApp user id", read_whatsapp,
     "write whatsapp = \"447700900123\", without plus, or the from_user_id of an incoming message"},
    Assurance::chat,
    Placing::people,
    whatsapp_settings};
constinit const ChannelKind signal_kind{
    "signal",
    {"signal", "a Signal account id", read_signal,
     "write signal = \"xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx\", the sourceUuid that signal-cli shows"},
    Assurance::chat,
    Placing::chat_or_people,
    signal_settings};
// The console has its own login.
constinit const ChannelKind console_kind{
    "console",
    {"token", "the name of an access token", read_token,
     "write token = \"alice-laptop\", its name of a-z, 0-9, _ and -, not the token itself"},
    Assurance::passkey,
    Placing::one_place};

}  // namespace countersign::app
