// SPDX-License-Identifier: Apache-2.0
// The places that the built-in rules guard: secrets, and the settings, hooks and rules of Countersign and of agents.
#include "core/glob.hpp"
#include "core/path.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace countersign {

namespace {

std::string lower(std::string_view text) {
    std::string out{text};
    for (auto& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

// The resolved path in lower case between slashes, so that "/.ssh/" means a whole part of it. Back slashes count as
// slashes: an agent on Windows writes them.
std::string framed(std::string_view path, std::string_view cwd) {
    std::string forward{path};
    std::ranges::replace(forward, '\\', '/');
    const auto full = lower(resolved_path(forward, cwd));
    return (full.starts_with('/') ? "" : "/") + full + "/";
}

template <class List> bool holds_any(std::string_view framed_path, const List& parts) {
    return std::ranges::any_of(parts,
                               [&](std::string_view part) { return framed_path.find(part) != framed_path.npos; });
}

constexpr auto secret_parts = std::to_array<std::string_view>({
    "/.ssh/",
    "/.gnupg/",
    "/.aws/",
    "/.azure/",
    "/.config/gcloud/",
    "/.kube/config/",
    "/.docker/config.json/",
    "/.netrc/",
    "/.pgpass/",
    "/.npmrc/",
    "/.pypirc/",
    "/.git-credentials/",
    "/.vault-token/",
    "/.password-store/",
    "/.env/",
    "/etc/shadow/",
    "/etc/gshadow/",
    "/etc/sudoers/",
    "/etc/ssh/",
    "/credentials/",
    "/run/secrets/",
    "/.config/gh/hosts.yml/",
    "/environ/",
    "/.claude/.credentials.json/",
    "/.codex/auth.json/",
});
constexpr auto secret_names = std::to_array<std::string_view>({
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.kdbx",
    "*.jks",
    ".env.*",
    "*.env",
    "*credentials*",
    "*secrets.*",
    "secrets",
    "*.keystore",
});

constexpr auto settings_parts = std::to_array<std::string_view>({
    "/.claude/",
    "/.claude.json/",
    "/claude.md/",
    "/claude.local.md/",
    "/.codex/",
    "/agents.md/",
    "/agents.override.md/",
    "/.gemini/",
    "/gemini.md/",
    "/.geminiignore/",
    "/.opencode/",
    "/opencode.json/",
    "/opencode.jsonc/",
    "/.config/opencode/",
    "/.cursor/",
    "/.cursorrules/",
    "/.mcp.json/",
    "/countersign.toml/",
    "/.countersign/",
    "/.config/countersign/",
    "/.local/state/countersign/",
    "/.local/share/countersign/",
    "/var/lib/countersign/",
    "/var/log/countersign/",
    "/run/countersign/",
    "/etc/countersign/",
    "/.git/",  // its configuration, hooks, attributes and submodules name programs that git runs
    "/etc/claude-code/",
    "/etc/codex/",
});

// The same places as text that may stand anywhere in a command, without the slashes around.
constexpr auto settings_words = std::to_array<std::string_view>({
    ".claude",           "claude.md",          "claude.local.md", ".codex",
    "agents.md",         "agents.override.md", ".gemini",         "gemini.md",
    ".opencode",         "opencode.json",      "config/opencode", ".cursor",
    ".mcp.json",         "countersign.toml",   ".countersign",    "config/countersign",
    "state/countersign", "share/countersign",  "lib/countersign", "log/countersign",
    "run/countersign",   "etc/countersign",    ".git/",           "core.hookspath",
    "etc/claude-code",   "etc/codex",
});

bool names_part_of(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }

// Without quotes, back slashes and doubled slashes, which a shell takes away.
std::string bared(std::string_view text) {
    std::string out;
    for (const char c : lower(text)) {
        if (c == '\'' || c == '"' || c == '\\') continue;
        if (c == '/' && out.ends_with('/')) continue;
        if (c == '/' && out.ends_with("/.")) {
            out.pop_back();
            continue;
        }
        out += c;
    }
    return out;
}

// A word with wildcards may become a guarded name. One that is nothing but wildcards would accuse every command.
bool wildcard_may_mean(std::string_view text) {
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of(" \t\n;|&<>()/=:,"), text.size());
        const auto part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const bool wild = part.find_first_of("*?") != part.npos;
        const auto literal = std::ranges::count_if(part, [](char c) { return names_part_of(c) || c == '.'; });
        if (!wild || literal < 2) continue;
        const auto fits = [part](std::string_view word) { return glob_fits(part, word); };
        if (std::ranges::any_of(settings_words, fits)) return true;
    }
    return false;
}

}  // namespace

bool bears_secrets(std::string_view path, std::string_view cwd) {
    const auto full = framed(path, cwd);
    if (holds_any(full, secret_parts)) return true;
    const auto trimmed = std::string_view{full}.substr(0, full.size() - 1);
    const auto base = trimmed.substr(trimmed.rfind('/') + 1);
    return std::ranges::any_of(secret_names, [base](std::string_view one) { return glob_fits(one, base); });
}

bool is_own_setting(std::string_view path, std::string_view cwd) {
    return holds_any(framed(path, cwd), settings_parts);
}

bool mentions_own_setting(std::string_view text) {
    const auto bare = bared(text);
    // Where the text builds words out of variables, what stands before a name says nothing.
    const bool builds_words = bare.find_first_of("$`{") != bare.npos;
    for (const auto word : settings_words) {
        for (auto at = bare.find(word); at != bare.npos; at = bare.find(word, at + 1)) {
            if (at == 0 || builds_words || !names_part_of(bare[at - 1])) return true;
        }
    }
    return wildcard_may_mean(bare);
}

}  // namespace countersign
