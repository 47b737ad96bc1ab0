// SPDX-License-Identifier: Apache-2.0
#include "security/redact/names.hpp"

#include "security/redact/bytes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace countersign::security {
namespace {

constexpr std::size_t name_bytes_max = 128;

bool upper(char byte) { return byte >= 'A' && byte <= 'Z'; }
bool lower(char byte) { return byte >= 'a' && byte <= 'z'; }
bool digit(char byte) { return byte >= '0' && byte <= '9'; }

// True at a word boundary inside a run of letters: dbPassword, AWSSecret.
bool hump(std::string_view name, std::size_t at) {
    if (at == 0 || !upper(name[at])) return false;
    return lower(name[at - 1]) || (upper(name[at - 1]) && at + 1 < name.size() && lower(name[at + 1]));
}

std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words(1);
    for (std::size_t at = 0; at < name.size(); ++at) {
        const char byte = name[at];
        if (hump(name, at) && !words.back().empty()) words.emplace_back();
        if (upper(byte)) {
            words.back() += static_cast<char>(byte + 32);
        } else if (lower(byte)) {
            words.back() += byte;
        } else if (!digit(byte) && !words.back().empty()) {
            words.emplace_back();
        }
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

struct SecretWord {
    std::string_view word;
    Suspicion suspicion;
    std::string_view rule;
    bool ending;  // also at the end of a longer word: mypassword
    bool plural;
};

constexpr std::array secret_words = std::to_array<SecretWord>({
    {"password", Suspicion::certain, "password", true, true},
    {"passwd", Suspicion::certain, "password", true, true},
    {"passwort", Suspicion::certain, "password", true, false},
    {"passphrase", Suspicion::certain, "password", true, true},
    {"passcode", Suspicion::certain, "password", true, false},
    {"userpass", Suspicion::certain, "password", true, false},
    {"dbpass", Suspicion::certain, "password", true, false},
    {"sshpass", Suspicion::certain, "password", true, false},
    {"pwd", Suspicion::likely, "password", false, false},
    {"passw", Suspicion::certain, "password", false, false},
    {"pass", Suspicion::likely, "password", false, false},
    {"pw", Suspicion::likely, "password", false, false},
    {"otp", Suspicion::likely, "password", false, false},
    {"totp", Suspicion::likely, "password", false, false},
    {"mnemonic", Suspicion::certain, "secret", false, false},
    {"secret", Suspicion::certain, "secret", true, true},
    {"credential", Suspicion::certain, "credential", true, true},
    {"creds", Suspicion::likely, "credential", false, false},
    {"apikey", Suspicion::certain, "key", true, true},
    {"appkey", Suspicion::certain, "key", true, false},
    {"authkey", Suspicion::certain, "key", true, false},
    {"secretkey", Suspicion::certain, "key", true, true},
    {"privatekey", Suspicion::certain, "key", true, true},
    {"privkey", Suspicion::certain, "key", true, false},
    {"accesskey", Suspicion::certain, "key", true, true},
    {"accountkey", Suspicion::certain, "key", true, false},
    {"sharedkey", Suspicion::certain, "key", true, false},
    {"masterkey", Suspicion::certain, "key", true, false},
    {"signingkey", Suspicion::certain, "key", true, false},
    {"encryptionkey", Suspicion::certain, "key", true, false},
    {"token", Suspicion::likely, "token", true, false},
    {"bearer", Suspicion::likely, "token", false, false},
    {"jwt", Suspicion::likely, "token", false, false},
    {"pat", Suspicion::possible, "token", false, false},
    {"crumb", Suspicion::likely, "token", false, false},
    {"authorization", Suspicion::certain, "authorization", false, false},
    {"auth", Suspicion::possible, "authorization", false, false},
    {"cookie", Suspicion::likely, "cookie", false, true},
    {"phpsessid", Suspicion::likely, "cookie", false, false},
    {"jsessionid", Suspicion::likely, "cookie", false, false},
    {"sessionid", Suspicion::possible, "cookie", false, false},
});

// Three letters of every word that can make a name suspicious: its first ones, or rarer ones in "sessionid" and
// "connection string". Most names contain none of them and need no further check.
constexpr LetterTriples secret_heads{
    std::to_array<std::string_view>({"pas", "pwd", "pat", "phr", "php", "sec", "ses", "str", "jse", "jwt", "key",
                                     "tok", "otp", "aut", "bea", "cre", "cru", "coo", "mne", "nid", "nne"})};
// The only word of two letters: db_pw.
bool ends_in_pw(std::string_view name) { return name.ends_with("pw") || name.ends_with("PW"); }
// The same for names in a query, and for names that refer to another name.
constexpr LetterTriples other_heads{std::to_array<std::string_view>({"sig", "cod", "hma", "nam", "val"})};

// A key is a secret only after one of these: there are primary keys, cache keys and public keys too.
constexpr std::array key_kinds = std::to_array<std::string_view>(
    {"access",   "account", "admin",      "api",     "app",          "application", "auth",        "client",
     "consumer", "crypto",  "decryption", "deploy",  "encryption",   "hmac",        "integration", "license",
     "master",   "private", "priv",       "root",    "secret",       "service",     "shared",      "sharedaccess",
     "signing",  "sign",    "ssh",        "storage", "subscription", "symmetric",   "webhook",     "write"});

// After one of these a key is never a secret. After any other word it is one if its value looks like it: acme_key.
constexpr std::array open_key_kinds = std::to_array<std::string_view>(
    {"cache",   "column",      "compound", "dict",      "foreign", "group",       "hash",   "host",
     "hot",     "idempotency", "index",    "item",      "json",    "lookup",      "map",    "member",
     "meta",    "object",      "parent",   "partition", "primary", "pub",         "public", "query",
     "range",   "record",      "registry", "row",       "s",       "session",     "short",  "sort",
     "storage", "surrogate",   "table",    "tag",       "the",     "translation", "unique"});

// "Tokens" in the plural usually refers to a count, not to a list.
constexpr std::array tokens_kinds =
    std::to_array<std::string_view>({"access", "api", "auth", "bearer", "refresh", "secret"});

// A name with one of these endings isn't the secret itself, but something about it.
constexpr std::array harmless_endings = std::to_array<std::string_view>(
    {"age",      "algorithm", "alg",         "arn",         "attempts",  "authority", "backend", "budget",
     "bucket",   "cache",     "callback",    "chars",       "class",     "client",    "column",  "config",
     "cost",     "count",     "counter",     "dir",         "directory", "domain",    "enabled", "endpoint",
     "env",      "error",     "expiration",  "expires",     "expiry",    "field",     "file",    "filename",
     "files",    "format",    "generator",   "handler",     "header",    "host",      "id",      "ids",
     "index",    "input",     "issuer",      "kind",        "label",     "len",       "length",  "lifetime",
     "limit",    "limits",    "list",        "location",    "manager",   "max",       "method",  "min",
     "mode",     "model",     "mount",       "name",        "names",     "options",   "parser",  "path",
     "paths",    "pattern",   "permissions", "placeholder", "plugin",    "policy",    "port",    "prefix",
     "prompt",   "provider",  "rate",        "realm",       "ref",       "regex",     "region",  "required",
     "reset",    "role",      "rotation",    "rules",       "scheme",    "scope",     "scopes",  "server",
     "service",  "size",      "source",      "status",      "stdin",     "store",     "stream",  "strength",
     "template", "test",      "tests",       "timeout",     "title",     "ttl",       "type",    "types",
     "url",      "uri",       "usage",       "user",        "username",  "validator", "version", "window"});

// Endings that don't change the meaning: it is still the secret.
constexpr std::array neutral_endings = std::to_array<std::string_view>(
    {"a",       "b",      "backup",     "base", "data", "dev",   "digest",    "enc",    "encrypted",
     "hash",    "hashed", "live",       "main", "new",  "old",   "pem",       "plain",  "plaintext",
     "primary", "prod",   "production", "raw",  "rw",   "ro",    "secondary", "secure", "staging",
     "str",     "string", "text",       "v",    "val",  "value", "x"});

bool among(std::string_view word, std::span<const std::string_view> list) {
    return std::ranges::find(list, word) != list.end();
}

std::string_view singular(std::string_view word) {
    return word.ends_with('s') ? word.substr(0, word.size() - 1) : word;
}

NameVerdict judge_word(std::string_view word) {
    for (const auto& secret : secret_words) {
        const auto fits = [&](std::string_view form) {
            if (form.empty() || form.back() != secret.word.back()) return false;
            return secret.ending ? form.ends_with(secret.word) : form == secret.word;
        };
        // NOPASSWD of sudoers says that none is asked for.
        if (word.size() == secret.word.size() + 2 && word.starts_with("no") && word.ends_with(secret.word)) return {};
        if (fits(word) || (secret.plural && fits(singular(word)))) return {secret.suspicion, secret.rule, false, false};
    }
    return {};
}

NameVerdict judge_two(std::string_view first, std::string_view second) {
    if (singular(second) == "key" && among(first, key_kinds)) return {Suspicion::certain, "key", false, false};
    if (second == "key" && !among(first, open_key_kinds)) return {Suspicion::possible, "key", false, false};
    if (second == "tokens" && among(first, tokens_kinds)) return {Suspicion::likely, "token", false, false};
    if (second == "phrase" && (first == "seed" || first == "recovery" || first == "pass")) {
        return {Suspicion::certain, "secret", false, true};
    }
    if (first == "connection" && second == "string") return {Suspicion::possible, "credential", false, false};
    return {};
}

void weaken_by_ending(NameVerdict& verdict, std::span<const std::string> words, std::size_t last_secret) {
    for (auto at = last_secret + 1; at < words.size(); ++at) {
        if (among(words[at], neutral_endings)) continue;
        verdict.suspicion = Suspicion::possible;
    }
    if (last_secret + 1 < words.size() && among(words.back(), harmless_endings)) verdict.suspicion = Suspicion::none;
}

bool just(std::string_view name, std::span<const std::string_view> list) {
    if (name.size() > 8) return false;
    const auto words = words_of(name);
    return words.size() == 1 && among(words.front(), list);
}

}  // namespace

bool may_matter(std::string_view name) {
    return secret_heads.may_be_in(name) || other_heads.may_be_in(name) || ends_in_pw(name);
}

NameVerdict judge_name(std::string_view name) {
    if (name.size() > name_bytes_max) name.remove_prefix(name.size() - name_bytes_max);
    if (!secret_heads.may_be_in(name) && !ends_in_pw(name)) return {};
    const auto words = words_of(name);
    NameVerdict worst;
    std::size_t last_secret = 0;
    for (std::size_t at = 0; at < words.size(); ++at) {
        auto verdict = judge_word(words[at]);
        if (at > 0) {
            const auto two = judge_two(words[at - 1], words[at]);
            if (two.suspicion > verdict.suspicion) verdict = two;
        }
        if (verdict.suspicion == Suspicion::none) continue;
        last_secret = at;
        if (verdict.suspicion >= worst.suspicion) worst = verdict;
    }
    if (worst.suspicion == Suspicion::none) return {};
    weaken_by_ending(worst, words, last_secret);
    const auto& last = words.back();
    worst.header = worst.suspicion != Suspicion::none && (last == "authorization" || last == "cookie");
    worst.phrase = worst.phrase || last == "mnemonic" || last == "passphrase";
    return worst;
}

NameVerdict judge_query_name(std::string_view name) {
    if (const auto verdict = judge_name(name); verdict.suspicion != Suspicion::none) return verdict;
    static constexpr auto telling =
        std::to_array<std::string_view>({"key", "sig", "signature", "code", "hmac", "sign"});
    const auto words = words_of(name);
    if (words.empty() || !among(words.back(), telling)) return {};
    return {Suspicion::possible, "query", false, false};
}

bool names_a_name(std::string_view name) {
    static constexpr auto list = std::to_array<std::string_view>({"name", "key"});
    return just(name, list);
}

bool names_a_value(std::string_view name) {
    static constexpr auto list = std::to_array<std::string_view>({"value", "val"});
    return just(name, list);
}

bool holds_commands(std::string_view name) {
    static constexpr auto list =
        std::to_array<std::string_view>({"alias", "aliases", "commands", "hooks", "scripts", "tasks"});
    return name.size() < 9 && name.ends_with('s') && std::ranges::find(list, name) != list.end();
}

}  // namespace countersign::security
