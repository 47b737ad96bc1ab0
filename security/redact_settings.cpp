// SPDX-License-Identifier: Apache-2.0
#include "security/redact_settings.hpp"

#include "core/limits.hpp"
#include "security/redact_names.hpp"
#include "security/redact_values.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace countersign::security {
namespace {

constexpr std::string_view blanks = " \t\r";

bool name_byte(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_' || byte == '-' || byte == '.';
}

// What a shell would act on, were the file sourced.
bool shell_byte(char byte) { return std::string_view{"&;()<>|`$ \t"}.find(byte) != std::string_view::npos; }

std::size_t skip(std::string_view line, std::size_t at, std::string_view what) {
    return std::min(line.find_first_not_of(what, at), line.size());
}

struct Setting {
    std::string_view name;
    std::size_t value = 0;  // where it begins in the line
    bool tight = false;     // nothing around the sign: a shell could read this as an assignment
};

// NAME=value, export NAME=value, name = value, "name": value, - name: value.
Setting setting_of(std::string_view line, TextKind kind) {
    auto at = skip(line, 0, " \t+-");
    if (line.substr(at).starts_with("export ")) at = skip(line, at + 7, " \t");
    const bool quoted = at < line.size() && (line[at] == '"' || line[at] == '\'');
    const char quote = quoted ? line[at++] : '\0';
    const auto begin = at;
    while (at < line.size() && name_byte(line[at])) ++at;
    const auto name = line.substr(begin, at - begin);
    if (quoted && (at >= line.size() || line[at++] != quote)) return {};
    const auto sign = skip(line, at, " \t");
    if (name.empty() || sign >= line.size()) return {};
    const bool colon = line[sign] == ':';
    if (!colon && (line[sign] != '=' || kind == TextKind::yaml)) return {};
    const auto value = skip(line, sign + 1, " \t");
    // YAML's colon has a blank after it: a:b is a word.
    if (colon && kind == TextKind::yaml && value == sign + 1) return {};
    return {name, value, !colon && sign == at && value == sign + 1};
}

// The value without its quotes and without a comment after it; empty where another line or another rule has it.
Stretch value_of(std::string_view line, const Setting& setting) {
    const auto rest = line.substr(setting.value);
    if (rest.empty() || std::string_view{"|>[{&*!#"}.find(rest[0]) != std::string_view::npos) return {0, 0};
    if (rest[0] == '"' || rest[0] == '\'') {
        const auto close = rest.rfind(rest[0]);
        const auto after = skip(rest, close + 1, " \t\r,");
        if (close == 0 || (after < rest.size() && rest[after] != '#')) return {0, 0};
        return {setting.value + 1, setting.value + close};
    }
    const auto end = std::min(rest.find(setting.tight ? " " : " #"), rest.find_last_not_of(blanks) + 1);
    return {setting.value, setting.value + std::min(end, rest.size())};
}

// A command that a blank follows is one that takes arguments: NAME=abc; rm -rf x.
bool may_be_command(std::string_view line, const Setting& setting, Stretch value) {
    if (!setting.tight || line[setting.value] == '"' || line[setting.value] == '\'') return false;
    const auto text = line.substr(value.begin, value.end - value.begin);
    return skip(line, value.end, blanks) < line.size() && std::ranges::any_of(text, shell_byte);
}

void hide_pieces(Findings& findings, std::string_view line, std::size_t line_begin, Stretch value,
                 std::string_view rule) {
    for (auto at = value.begin; at < value.end;) {
        const auto begin = at;
        while (at < value.end && !shell_byte(line[at])) ++at;
        if (begin < at) findings.push_back({line_begin + begin, line_begin + at, rule, Evidence::name});
        while (at < value.end && shell_byte(line[at])) ++at;
    }
}

std::string lowered(std::string_view text) {
    std::string low{text};
    std::ranges::transform(low, low.begin(),
                           [](char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte; });
    return low;
}

}  // namespace

TextKind kind_of_file(std::string_view path) {
    static constexpr auto settings = std::to_array<std::string_view>(
        {".env", ".ini", ".cfg", ".conf", ".cnf", ".properties", ".toml", ".tfvars", ".npmrc", ".pypirc", ".netrc"});
    static constexpr auto yaml = std::to_array<std::string_view>({".yml", ".yaml"});
    const auto name = lowered(path.substr(path.find_last_of("/\\") + 1));
    const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
    if (std::ranges::any_of(yaml, ends)) return TextKind::yaml;
    if (std::ranges::any_of(settings, ends) || name.starts_with(".env.") || name == "credentials") {
        return TextKind::settings;
    }
    return TextKind::any;
}

Findings find_settings(std::string_view text, TextKind kind) {
    Findings findings;
    if (kind == TextKind::any) return findings;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find('\n', begin), text.size());
        const auto line = text.substr(begin, std::min(end - begin, limits::redact_value_bytes_max));
        const auto line_begin = begin;
        begin = end + 1;
        const auto setting = setting_of(line, kind);
        const auto verdict = judge_name(setting.name);
        if (verdict.suspicion < Suspicion::likely) continue;
        const auto value = value_of(line, setting);
        const auto secret = line.substr(value.begin, value.end - value.begin);
        if (secret.empty() || placeholder(secret) || may_be_command(line, setting, value)) continue;
        if (verdict.suspicion == Suspicion::likely && !setting.tight && !looks_secret(secret)) continue;
        hide_pieces(findings, line, line_begin, value, verdict.rule);
    }
    return findings;
}

}  // namespace countersign::security
