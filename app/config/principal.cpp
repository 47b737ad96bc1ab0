// SPDX-License-Identifier: Apache-2.0
#include "app/config/principal.hpp"

#include "app/config/fields.hpp"

#include <algorithm>
#include <cstdint>

namespace countersign::app {

namespace {

using Read = std::optional<std::string>;

bool is_capital_or_digit(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

Read integer_between(const Node& node, std::int64_t least, std::int64_t most) {
    const auto* integer = node.integer();
    if (integer == nullptr || *integer < least || *integer > most) return std::nullopt;
    return std::to_string(*integer);
}

Read text_if(const Node& node, bool (*fits)(std::string_view)) {
    const auto* text = node.text();
    return text != nullptr && fits(*text) ? Read{*text} : std::nullopt;
}

// Bot API: "at most 52 significant bits".
Read read_telegram(const Node& node) { return integer_between(node, 1, (std::int64_t{1} << 52) - 1); }

bool is_slack_id(std::string_view text, std::string_view first) {
    return text.size() >= 2 && text.size() <= 24 && first.find(text[0]) != std::string_view::npos &&
           std::ranges::all_of(text, is_capital_or_digit);
}

// A user id is unique only in its workspace (T) or organisation (E).
Read read_slack(const Node& node) {
    return text_if(node, [](std::string_view text) {
        const auto slash = text.find('/');
        return slash != std::string_view::npos && is_slack_id(text.substr(0, slash), "TE") &&
               is_slack_id(text.substr(slash + 1), "UW");
    });
}

Read read_discord(const Node& node) {
    return text_if(node, [](std::string_view text) { return is_digits(text, 15, 20) && text[0] != '0'; });
}

Read read_sms(const Node& node) { return text_if(node, is_phone_number); }

// 2^32 - 1 is not a user but "no change" to the kernel.
Read read_terminal(const Node& node) { return integer_between(node, 0, 4'294'967'294); }

Read read_token(const Node& node) { return text_if(node, is_name); }

// The number without plus, or the business-scoped id that outlives it: US.13491208655302741918.
Read read_whatsapp(const Node& node) {
    return text_if(node, [](std::string_view text) {
        if (is_digits(text, 7, 15)) return text[0] != '0';
        return text.size() > 3 && text[2] == '.' && is_digits(text.substr(3), 1, 20) &&
               std::ranges::all_of(text.substr(0, 2), [](char c) { return c >= 'A' && c <= 'Z'; });
    });
}

Read read_signal(const Node& node) {
    return text_if(node, [](std::string_view text) {
        if (text.size() != 36) return false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
            const bool hex = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');
            if (dash ? text[i] != '-' : !hex) return false;
        }
        return true;
    });
}

constexpr PrincipalKind kinds[] = {
    {"telegram", "a Telegram user id", read_telegram,
     "write telegram = 77, the number that stands as message.from.id in the bot's updates"},
    {"slack", "a Slack workspace and user id", read_slack,
     "write slack = \"T0123/U061F7AUR\": the T… of the workspace's address, and the U… under \"Copy member ID\" in the "
     "profile"},
    {"discord", "a Discord user id", read_discord,
     "write discord = \"539000000000000001\", in quotes: turn on Developer Mode, then \"Copy User ID\""},
    {"sms", "a phone number", read_sms, "write sms = \"+447700900123\", with country code and no spaces"},
    {"terminal", "a user id of this machine", read_terminal, "write terminal = 1000, the number that `id -u` prints"},
    {"token", "the name of an access token", read_token,
     "write token = \"alice-laptop\", its name of a-z, 0-9, _ and -, not the token itself"},
    {"whatsapp", "a WhatsApp user id", read_whatsapp,
     "write whatsapp = \"447700900123\", without plus, or the from_user_id of an incoming message"},
    {"signal", "a Signal account id", read_signal,
     "write signal = \"xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx\", the sourceUuid that signal-cli shows"},
};

}  // namespace

std::span<const PrincipalKind> principal_kinds() { return kinds; }

std::string why_no_principal(const PrincipalKind& kind, const Node& node) {
    const auto* text = node.text();
    if (text != nullptr && text->starts_with('@')) return "an @name can pass to somebody else, an id cannot";
    return "this is not " + std::string{kind.what};
}

std::string instead_of(const PrincipalKind& kind, const Node& node) {
    // Written as an integer it is right in TOML and rounded by the next program that reads it as a double.
    const auto* integer = node.integer();
    if (kind.name == "discord" && integer != nullptr && *integer > 0) {
        return "write it as a string: discord = \"" + std::to_string(*integer) + "\"";
    }
    return std::string{kind.instead};
}

bool is_digits(std::string_view text, std::size_t least, std::size_t most) {
    return text.size() >= least && text.size() <= most &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_phone_number(std::string_view text) {
    return text.size() > 1 && text[0] == '+' && text[1] != '0' && is_digits(text.substr(1), 7, 15);
}

}  // namespace countersign::app
