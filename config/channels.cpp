// SPDX-License-Identifier: Apache-2.0
#include "config/nearest.hpp"
#include "config/sections.hpp"
#include "core/channel_kind.hpp"
#include "core/limits.hpp"
#include "security/ed25519.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace countersign::config {

namespace {

// A name in $CREDENTIALS_DIRECTORY. Accepts nothing that looks like a secret: if an operator writes one here by
// mistake, it must not end up in the record of the configuration.
bool is_credential_name(std::string_view text) {
    constexpr std::size_t digits_max = 4;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto fits = [&](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_' || c == '.'; };
    return text.size() <= limits::config_name_bytes_max && text.front() >= 'a' && text.front() <= 'z' &&
           std::ranges::all_of(text, fits) && std::ranges::count_if(text, is_digit) <= std::ptrdiff_t{digits_max};
}

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

// A secret in this file would also be in its backups, in the record of the configuration and on operators' terminals.
bool explain_secret(Fields& fields, const ChannelKind& kind, const TomlEntry& entry) {
    if (!sounds_secret(entry.key)) return false;
    const auto wanted = entry.key + "_file";
    const auto exact = std::ranges::find(kind.settings, wanted, &Setting::name);
    const auto any = std::ranges::find(kind.settings, SettingType::secret_file, &Setting::type);
    const auto& meant = exact != kind.settings.end() ? exact : any;
    fields.problems().add(entry.at, fields.key_of(entry.key), "a secret does not belong in this file",
                          meant == kind.settings.end() ? "leave it out; this kind has none" : write_file(meant->name));
    return true;
}

// The kinds for a problem: the terminal first, because every machine has one.
std::vector<std::string_view> names_of_kinds(std::span<const KnownKind> kinds, bool only_available) {
    std::vector<std::string_view> names;
    for (const bool terminal : {true, false}) {
        for (const auto& [kind, available] : kinds) {
            if (kind->is_own_terminal == terminal && (available || !only_available)) names.push_back(kind->name);
        }
    }
    return names;
}

// Null, with a problem, if there is no such kind. Also reports a kind that cannot be started.
const ChannelKind* find_kind(Fields& fields, const std::string& given, std::span<const KnownKind> kinds) {
    const auto found = std::ranges::find(kinds, given, [](const KnownKind& known) { return known.kind->name; });
    if (found == kinds.end()) {
        const auto known = names_of_kinds(kinds, false);
        fields.reject("kind", "there is no such kind", did_you_mean(given, known, "kinds are: " + joined(known)));
        return nullptr;
    }
    if (!found->available) {
        fields.reject("kind", "kind \"" + given + "\" comes with a later release; this one has: " +
                                  joined(names_of_kinds(kinds, true)));
    }
    return found->kind;
}

ChannelConfig read_channel(const TomlEntry& entry, Problems& problems, std::span<const KnownKind> kinds) {
    Fields fields{entry.value, key_path("channels", entry.key), problems};
    ChannelConfig channel{.name = entry.key, .kind = {}, .settings = {}};
    const auto names = names_of_kinds(kinds, true);
    const auto example = "\"" + std::string{names.empty() ? "…" : names.front()} + "\"";
    const auto given = fields.text("kind", example);
    if (!given) {
        if (fields.node("kind") == nullptr) fields.reject("kind", "a channel needs a kind", "write kind = " + example);
        return channel;
    }
    channel.kind = *given;
    const auto* kind = find_kind(fields, *given, kinds);
    channel.facts = kind;
    if (kind == nullptr) return channel;
    WrittenSettings written;
    for (const auto& setting : kind->settings) {
        if (auto value = read_setting(fields, setting)) {
            written.emplace(setting.name, *value);
            channel.settings.emplace(setting.name, std::move(*value));
        } else if (fields.node(setting.name) != nullptr) {
            written.emplace(setting.name, "");
        } else if (setting.required) {
            const bool file = setting.type == SettingType::secret_file;
            fields.reject(setting.name, "this kind needs it",
                          file ? write_file(setting.name) : "write " + std::string{setting.name} + " = \"…\"");
        }
    }
    if (kind->check != nullptr) {
        for (auto& [setting, wrong] : kind->check(written)) {
            fields.reject(setting, std::move(wrong.what), std::move(wrong.instead));
        }
    }
    fields.finish([&](const TomlEntry& unknown) { return explain_secret(fields, *kind, unknown); });
    return channel;
}

}  // namespace

// Plain http only to this machine: a token sent unencrypted over a network is not a secret any more. No @ is allowed in
// the host, because a user name and password would precede it.
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

void read_channels(Fields& root, Configuration& configuration, std::span<const KnownKind> kinds) {
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
        configuration.channels.emplace(entry.key, read_channel(entry, root.problems(), kinds));
    }
}

}  // namespace countersign::config
