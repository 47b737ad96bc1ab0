// SPDX-License-Identifier: Apache-2.0
#include "app/config/channel_kind.hpp"
#include "app/config/nearest.hpp"
#include "app/config/principal.hpp"
#include "app/config/sections.hpp"
#include "core/limits.hpp"
#include "security/ed25519.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace countersign::app {

namespace {

std::string example_path(std::string_view setting) {
    return "\"/etc/countersign/" + std::string{setting.substr(0, setting.rfind("_file"))} + "\"";
}

std::string write_file(std::string_view setting) {
    return "write " + std::string{setting} + " = " + example_path(setting) + ", the file mode 0600";
}

// A name in $CREDENTIALS_DIRECTORY. Only what nobody could take for a secret: whoever writes one here by mistake must
// not find it in the record of the configuration.
bool is_credential_name(std::string_view text) {
    constexpr std::size_t digits_max = 4;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto fits = [&](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_' || c == '.'; };
    return text.size() <= limits::config_name_bytes_max && text.front() >= 'a' && text.front() <= 'z' &&
           std::ranges::all_of(text, fits) && std::ranges::count_if(text, is_digit) <= std::ptrdiff_t{digits_max};
}

// What is wrong with a text setting; empty if nothing.
struct Complaint {
    std::string what;
    std::string instead;
};
Complaint complaint_of(const Setting& setting, const std::string& value) {
    const std::string write = "write " + std::string{setting.name} + " = ";
    switch (setting.type) {
    case SettingType::secret_file:
        if (value.starts_with('/') || is_credential_name(value)) return {};
        return {"this is not an absolute path; a secret itself does not belong here",
                write_file(setting.name) + ", or the name of a systemd credential"};
    case SettingType::url:
        if (is_web_address(value)) return {};
        return {"this is no https address", write + "\"https://…\"; http only to 127.0.0.1, ::1 or localhost"};
    case SettingType::public_key:
        if (security::Ed25519PublicKey::parse(value)) return {};
        return {"this is no Ed25519 public key", write + "the 64 hex digits of the application's page"};
    case SettingType::digits:
        if (is_digits(value, 1, 20)) return {};
        return {"this is no id of digits", write + "\"290926444748734465\""};
    case SettingType::moment:
        if (parse_moment(value)) return {};
        return {"this is no moment in UTC", write + "\"2026-12-01T12:00:00Z\""};
    case SettingType::phone:
        if (is_phone_number(value)) return {};
        return {"this is no phone number", write + "\"+447700900123\", with country code and no spaces"};
    default:
        return {};
    }
}

std::string example_of(const Setting& setting) {
    if (setting.type == SettingType::moment) return "\"2026-12-01T12:00:00Z\"";
    return setting.type == SettingType::secret_file ? example_path(setting.name) : "\"…\"";
}

std::optional<std::string> read_setting(Fields& fields, const Setting& setting) {
    if (setting.type == SettingType::boolean) {
        const auto truth = fields.boolean(setting.name);
        return truth ? std::optional<std::string>{*truth ? "true" : "false"} : std::nullopt;
    }
    if (setting.type == SettingType::mode) return fields.word_among(setting.name, {"poll", "webhook"});
    auto value = fields.text(setting.name, example_of(setting));
    if (!value) return std::nullopt;
    if (auto complaint = complaint_of(setting, *value); !complaint.what.empty()) {
        fields.reject(setting.name, std::move(complaint.what), std::move(complaint.instead));
    }
    return value;
}

bool sounds_secret(std::string_view key) {
    static constexpr std::string_view words[] = {"token",      "secret",  "password", "passwd", "passphrase",
                                                 "credential", "api_key", "apikey",   "private"};
    return !key.ends_with("_file") &&
           std::ranges::any_of(words, [&](std::string_view word) { return key.find(word) != std::string_view::npos; });
}

// A secret in this file would be in every backup of it, in the record of the configuration and in somebody's terminal.
bool explain_secret(Fields& fields, const ChannelKind& kind, const Entry& entry) {
    if (!sounds_secret(entry.key)) return false;
    const auto wanted = entry.key + "_file";
    const auto exact = std::ranges::find(kind.settings, wanted, &Setting::name);
    const auto any = std::ranges::find(kind.settings, SettingType::secret_file, &Setting::type);
    const auto& meant = exact != kind.settings.end() ? exact : any;
    fields.problems().add(entry.at, fields.key_of(entry.key), "a secret does not belong in this file",
                          meant == kind.settings.end() ? "leave it out; this kind has none" : write_file(meant->name));
    return true;
}

void check_kind(Fields& fields, const std::string& given, std::span<const std::string_view> available) {
    if (std::ranges::find(available, given) != available.end()) return;
    const std::vector<std::string_view> can_start{available.begin(), available.end()};
    std::vector<std::string_view> known;
    for (const auto& kind : known_kinds()) known.push_back(kind.name);
    if (kind_named(given) == nullptr) {
        fields.reject("kind", "there is no such kind", did_you_mean(given, known, "kinds are: " + joined(known)));
    } else {
        fields.reject("kind", "kind \"" + given + "\" comes with a later release; this one has: " + joined(can_start));
    }
}

// Without it anybody who finds the address could send what looks like a tap (I2).
void check_webhook_secret(Fields& fields, const ChannelConfig& channel) {
    const auto mode = channel.settings.find("mode");
    if (mode == channel.settings.end() || mode->second != "webhook") return;
    if (fields.node("webhook_secret_file") != nullptr) return;
    fields.reject("mode", "a webhook needs its secret",
                  write_file("webhook_secret_file") + ", made with openssl rand -hex 32");
}

// While a secret is replaced two count, and for how long is written down: an old one must not count for ever because
// nobody thought of it.
void check_previous_secret(Fields& fields, const ChannelConfig& channel) {
    const bool secret = channel.settings.contains("previous_webhook_secret_file");
    const bool until = channel.settings.contains("previous_until");
    if (secret && !until) {
        fields.reject("previous_webhook_secret_file", "a previous secret needs its end",
                      "write previous_until = \"2026-12-01T12:00:00Z\", at most 30 days ahead");
    }
    if (until && !secret) {
        fields.reject("previous_until", "there is no previous secret that could end",
                      write_file("previous_webhook_secret_file") + ", or leave both out");
    }
    if (secret && !channel.settings.contains("webhook_secret_file")) {
        fields.reject("previous_webhook_secret_file", "there is no present secret",
                      write_file("webhook_secret_file") + ", the new one");
    }
}

ChannelConfig read_channel(const Entry& entry, Problems& problems, std::span<const std::string_view> available) {
    Fields fields{entry.value, key_path("channels", entry.key), problems};
    ChannelConfig channel{.name = entry.key, .kind = {}, .settings = {}};
    const auto given = fields.text("kind", "\"terminal\"");
    if (!given) {
        if (fields.node("kind") == nullptr)
            fields.reject("kind", "a channel needs a kind", "write kind = \"terminal\"");
        return channel;
    }
    channel.kind = *given;
    check_kind(fields, *given, available);
    const auto* kind = kind_named(*given);
    if (kind == nullptr) return channel;
    for (const auto& setting : kind->settings) {
        if (auto value = read_setting(fields, setting)) {
            channel.settings.emplace(setting.name, std::move(*value));
        } else if (setting.required && fields.node(setting.name) == nullptr) {
            const bool file = setting.type == SettingType::secret_file;
            fields.reject(setting.name, "this kind needs it",
                          file ? write_file(setting.name) : "write " + std::string{setting.name} + " = \"…\"");
        }
    }
    check_webhook_secret(fields, channel);
    check_previous_secret(fields, channel);
    fields.finish([&](const Entry& unknown) { return explain_secret(fields, *kind, unknown); });
    return channel;
}

}  // namespace

// Plain http only to ourselves: a token that leaves the machine unencrypted is no secret any more. Nothing before an @
// may stand in the host: it would be a name and password.
bool is_web_address(std::string_view text) {
    const bool https = text.starts_with("https://");
    if (!https && !text.starts_with("http://")) return false;
    const auto rest = text.substr(https ? 8 : 7);
    const auto authority = rest.substr(0, rest.find_first_of("/?#"));
    if (authority.empty() || authority.find('@') != std::string_view::npos) return false;
    if (std::ranges::any_of(text, [](unsigned char c) { return c <= 0x20 || c >= 0x7F; })) return false;
    const auto host = authority.starts_with('[') ? authority.substr(0, authority.find(']') + 1)
                                                 : authority.substr(0, authority.find(':'));
    return https || host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

void read_channels(Fields& root, Configuration& configuration, std::span<const std::string_view> available) {
    const auto* node = root.node("channels");
    if (node == nullptr) {
        root.reject("channels", "there is no channel, so nobody could be asked", "write [channels.desk]");
        return;
    }
    const Fields channels{*node, "channels", root.problems()};
    if (channels.entries().size() > limits::channels_max) {
        root.reject("channels", "more than " + std::to_string(limits::channels_max) + " channels");
    }
    for (const auto& entry : std::views::take(channels.entries(), limits::channels_max)) {
        if (root.problems().full()) return;
        if (!is_name(entry.key)) {
            root.problems().add(entry.at, channels.key_of(entry.key), "this is no name of a channel",
                                "write 1 to 64 of a-z, 0-9, _ and -");
        }
        configuration.channels.emplace(entry.key, read_channel(entry, root.problems(), available));
    }
}

}  // namespace countersign::app
