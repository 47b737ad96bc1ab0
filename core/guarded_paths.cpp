// SPDX-License-Identifier: Apache-2.0
// The paths that the built-in rules protect: secrets, and the settings, hooks and rules of Countersign and of agents.
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

// The resolved path in lower case between slashes, so that "/.ssh/" matches only a whole component. Backslashes are
// treated as slashes, because an agent on Windows writes them.
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
    "/.kube/",
    "/.docker/config.json/",
    "/.dockercfg/",
    "/.s3cfg/",
    "/.boto/",
    "/.my.cnf/",
    "/.mylogin.cnf/",
    "/.htpasswd/",
    "/.databrickscfg/",
    "/.config/rclone/",
    "/.config/hub/",
    "/.config/doctl/",
    "/.config/sops/",
    "/.terraformrc/",
    "/.m2/settings.xml/",
    "/.gradle/gradle.properties/",
    "/.bundle/config/",
    "/.subversion/auth/",
    "/.local/share/keyrings/",
    "/keychains/",
    "/_netrc/",
    "/.netrc/",
    "/.pgpass/",
    "/.npmrc/",
    "/.pypirc/",
    "/.git-credentials/",
    "/.vault-token/",
    "/.password-store/",
    "/.env/",
    "/.envrc/",
    "/etc/shadow/",
    "/etc/gshadow/",
    "/etc/shadow-/",
    "/etc/gshadow-/",
    "/etc/master.passwd/",
    "/etc/sudoers/",
    "/etc/ssh/",
    "/credentials/",
    "/secrets/",
    "/.git/config/",  // a URL in it may contain a token
    "/auth.json/",
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
    "*secret.json",
    "*secret.toml",
    "*secret.txt",
    "*secret.yaml",
    "*secret.yml",
    ".env-*",
    ".env_*",
    "*.tfstate",
    "*.tfvars",
    "*.tfvars.json",
    "*.ppk",
    "*.p8",
    "*.kdb",
    "*.jceks",
    "*.ovpn",
    "*_rsa",
    "*_ecdsa",
    "*_ed25519",
    "deploy_key",
    "deploy-key",
    "kubeconfig",
    "kubeconfig.*",
    "*.kubeconfig",
    "*service-account*.json",
    "*service_account*.json",
    "*-adminsdk-*.json",
    "oauth_creds*",
    ".vault_pass*",
    ".vault-pass*",
    "wallet.dat",
});
// Copies that editors and people leave behind, and templates that show a secret's format without containing one.
constexpr auto copy_ends = std::to_array<std::string_view>({"~", ".bak", ".backup", ".old", ".orig", ".save"});
constexpr auto example_ends = std::to_array<std::string_view>(
    {".example", ".sample", ".template", ".dist", ".tmpl", ".tpl", "-example", "-sample", "-template"});
constexpr auto example_names = std::to_array<std::string_view>({"example.env", "sample.env", "template.env"});

std::string_view without_copy_ends(std::string_view name) {
    for (bool again = true; again;) {
        again = false;
        for (const auto end : copy_ends) {
            if (name.size() <= end.size() || !name.ends_with(end)) continue;
            name.remove_suffix(end.size());
            again = true;
        }
    }
    return name;
}

bool is_example(std::string_view name) {
    return std::ranges::find(example_names, name) != example_names.end() ||
           std::ranges::any_of(example_ends, [name](std::string_view end) { return name.ends_with(end); });
}

// A pattern that matches a sample secret file but no everyday file selects secrets: .e*, id_?sa.
constexpr std::string_view secret_samples =
    ".env .env.local .envrc prod.env id_rsa id_dsa id_ecdsa id_ed25519 server.pem server.key store.p12 store.pfx "
    "store.kdbx "
    "store.jks release.keystore credentials credentials.json secrets secrets.yml .netrc .pgpass .npmrc .pypirc "
    ".git-credentials .vault-token .ssh .gnupg .aws .azure terraform.tfstate terraform.tfvars server.ppk kubeconfig";
constexpr std::string_view everyday_samples =
    "a.txt readme.md main.cpp index.ts app.py app.js package.json config.yml makefile src main.kt main.ex store.ts "
    "server.ts release.yml production.json config.yaml kernel.c test.py .gitignore .nvmrc .prettierrc .vscode";
constexpr std::size_t selections_max = 256;  // that the lists and braces of one selector expand to

bool fits_any(std::string_view glob, std::string_view names) {
    while (!names.empty()) {
        const auto end = std::min(names.find(' '), names.size());
        if (glob_fits(glob, names.substr(0, end))) return true;
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return false;
}

// Turns [ab] into `?` and removes backslashes.
std::string as_glob(std::string_view text) {
    std::string glob;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto close = text[i] == '[' ? text.find(']', i + 2) : text.npos;
        if (close != text.npos) {
            glob += '?';
            i = close;
        } else if (text[i] != '\\') {
            glob += text[i];
        }
    }
    return glob;
}

bool selection_names_secret(std::string_view text, std::string_view cwd) {
    if (text.empty() || text.starts_with('!')) return false;
    if (bears_secrets(text, cwd)) return true;
    const auto glob = lower(as_glob(text));
    std::string_view rest = glob;
    while (!rest.empty()) {
        const auto part = rest.substr(0, rest.find('/'));
        rest.remove_prefix(std::min(part.size() + 1, rest.size()));
        if (part.find_first_of("*?") == part.npos) continue;
        if (fits_any(part, secret_samples) && !fits_any(part, everyday_samples)) return true;
    }
    return bears_secrets(glob, cwd);
}

// The position of the first `,` or blank outside of braces.
std::size_t list_end(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '{') ++depth;
        if (text[i] == '}') --depth;
        if (depth <= 0 && (text[i] == ',' || text[i] == ' ' || text[i] == '\t')) return i;
    }
    return text.npos;
}

// Tries every expansion of lists and braces. If there are too many, the selector is treated as selecting secrets.
bool any_selection(const std::string& text, std::string_view cwd, std::size_t& left) {
    if (left == 0) return true;
    --left;
    if (const auto end = list_end(text); end != text.npos) {
        return any_selection(text.substr(0, end), cwd, left) || any_selection(text.substr(end + 1), cwd, left);
    }
    const auto close = text.find('}');
    const auto open = close == text.npos ? text.npos : text.rfind('{', close);
    if (open == text.npos) return selection_names_secret(text, cwd);
    auto inner = text.substr(open + 1, close - open - 1) + ",";
    for (auto comma = inner.find(','); comma != inner.npos; comma = inner.find(',')) {
        const auto one = text.substr(0, open) + inner.substr(0, comma) + text.substr(close + 1);
        if (any_selection(one, cwd, left)) return true;
        inner.erase(0, comma + 1);
    }
    return false;
}

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
    "/mcp.json/",
    "/.windsurf/",
    "/.windsurfrules/",
    "/.codeium/",
    "/.cline/",
    "/.clinerules/",
    "/.copilot/",
    "/.github/copilot-instructions.md/",
    "/.github/instructions/",
    "/.github/prompts/",
    "/.github/chatmodes/",
    "/.github/agents/",
    "/.vscode/settings.json/",
    "/.vscode/mcp.json/",
    "/.qwen/",
    "/qwen.md/",
    "/.kiro/",
    "/.roo/",
    "/.roorules/",
    "/.roomodes/",
    "/.kilocode/",
    "/.kilocodemodes/",
    "/.continue/",
    "/.continuerules/",
    "/.crush/",
    "/crush.md/",
    "/crush.json/",
    "/.crush.json/",
    "/.config/crush/",
    "/.goose/",
    "/.goosehints/",
    "/.config/goose/",
    "/.aider.conf.yml/",
    "/.aider.model.settings.yml/",
    "/.aiderignore/",
    "/.claude-plugin/",
    "/agent.md/",
    "/.agents/",
    "/.agent/",
    "/.amp/",
    "/.config/amp/",
    "/warp.md/",
    "/.junie/",
    "/.augment/",
    "/.augment-guidelines/",
    "/.trae/",
    "/.rules/",
    "/.zed/",
    "/.config/zed/",
    "/.openhands/",
    "/.factory/",
    "/.amazonq/",
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

// The same places as text that may be anywhere in a command, without the surrounding slashes.
constexpr auto settings_words = std::to_array<std::string_view>({
    ".claude",
    "claude.md",
    "claude.local.md",
    ".codex",
    "agents.md",
    "agents.override.md",
    ".gemini",
    "gemini.md",
    ".opencode",
    "opencode.json",
    "config/opencode",
    ".cursor",
    "mcp.json",
    "countersign.toml",
    ".countersign",
    "config/countersign",
    "state/countersign",
    "share/countersign",
    "lib/countersign",
    "log/countersign",
    "run/countersign",
    "etc/countersign",
    ".git/",
    "core.hookspath",
    "etc/claude-code",
    "etc/codex",
    ".windsurf",
    ".codeium/",
    ".cline/",
    ".clinerules",
    ".copilot/",
    "copilot-instructions",
    ".github/instructions",
    ".github/prompts",
    ".github/chatmodes",
    ".github/agents",
    ".vscode/settings.json",
    ".vscode/mcp.json",
    ".qwen",
    "qwen.md",
    ".kiro",
    ".roo/",
    ".roorules",
    ".roomodes",
    ".kilocode",
    ".continue/",
    ".continuerules",
    ".crush/",
    "crush.md",
    "crush.json",
    "config/crush",
    ".goose/",
    ".goosehints",
    "config/goose",
    ".aider",
    "agent.md",
    ".agents/",
    ".agent/",
    ".amp/",
    "config/amp",
    "warp.md",
    ".junie",
    ".augment",
    ".trae/",
    ".zed/",
    "config/zed",
    ".openhands",
    ".factory/",
    ".amazonq",
});

bool names_part_of(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }

// Without quotes, backslashes and doubled slashes, as after a shell's expansion.
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

// A word with wildcards may expand to a guarded name. Words of wildcards only are ignored, or every command would
// match.
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
    auto full = framed(path, cwd);
    if (holds_any(full, secret_parts)) return true;
    full.resize(without_copy_ends(std::string_view{full}.substr(0, full.size() - 1)).size());
    full += '/';
    if (holds_any(full, secret_parts)) return true;
    const auto trimmed = std::string_view{full}.substr(0, full.size() - 1);
    const auto base = trimmed.substr(trimmed.rfind('/') + 1);
    if (base.starts_with('!') || is_example(base)) return false;  // rg -g '!.env' excludes it
    return std::ranges::any_of(secret_names, [base](std::string_view one) { return glob_fits(one, base); });
}

bool selects_secrets(std::string_view selector, std::string_view cwd) {
    auto left = selections_max;
    return any_selection(std::string{selector}, cwd, left);
}

bool is_own_setting(std::string_view path, std::string_view cwd) {
    return holds_any(framed(path, cwd), settings_parts);
}

bool mentions_own_setting(std::string_view text) {
    const auto bare = bared(text);
    // If the text builds words from variables, the character before a name proves nothing.
    const bool builds_words = bare.find_first_of("$`{") != bare.npos;
    for (const auto word : settings_words) {
        for (auto at = bare.find(word); at != bare.npos; at = bare.find(word, at + 1)) {
            if (at == 0 || builds_words || !names_part_of(bare[at - 1])) return true;
        }
    }
    return wildcard_may_mean(bare);
}

}  // namespace countersign
