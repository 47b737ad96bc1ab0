// SPDX-License-Identifier: Apache-2.0
// Whether a value is worth masking: the second half of security/redact/values.hpp.
#include "security/redact/names.hpp"
#include "security/redact/values.hpp"
#include "security/redact/view.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace countersign::security {
namespace {

bool digit(char byte) { return byte >= '0' && byte <= '9'; }
bool upper(char byte) { return byte >= 'A' && byte <= 'Z'; }
bool lower(char byte) { return byte >= 'a' && byte <= 'z'; }
bool letter(char byte) { return upper(byte) || lower(byte); }
bool word_byte(char byte) { return letter(byte) || digit(byte) || byte == '_'; }

constexpr std::array constants = std::to_array<std::string_view>(
    {"null",     "none",   "nil",     "true",     "false",  "undefined", "yes",      "no",      "on",
     "off",      "string", "str",     "bytes",    "int",    "integer",   "number",   "bool",    "boolean",
     "any",      "object", "array",   "inherit",  "text",   "varchar",   "void",     "char",    "optional",
     "required", "unset",  "empty",   "redacted", "hidden", "masked",    "disabled", "enabled", "never",
     "unknown",  "auto",   "default", "const",    "let",    "var",       "function", "async",   "await",
     "new",      "return", "self",    "this",     "lambda"});

// Placeholders in documentation and templates.
constexpr std::array stand_ins = std::to_array<std::string_view>(
    {"changeme", "change_me", "change-me", "replaceme", "replace_me", "replace-me", "example", "placeholder", "dummy",
     "todo", "tbd", "fixme", "yourtoken", "yourpassword", "yourkey", "yourapikey", "yoursecret"});
constexpr std::array stand_in_heads =
    std::to_array<std::string_view>({"your-", "your_", "your ", "replace-with", "replace_with", "replace with",
                                     "insert-", "insert_", "enter-your", "enter_your", "<your"});

// The key types that OpenSSH writes before a public key.
constexpr std::array public_key_types =
    std::to_array<std::string_view>({"ssh-rsa", "ssh-dss", "ssh-ed25519", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"});
constexpr std::array public_heads =
    std::to_array<std::string_view>({"-----BEGIN CERTIFICATE", "-----BEGIN PUBLIC KEY", "-----BEGIN RSA PUBLIC KEY",
                                     "-----BEGIN PGP PUBLIC KEY", "data:image/"});

// The first name of a path in source code or a template: the value is looked up there and isn't in this text.
constexpr std::array holders = std::to_array<std::string_view>(
    {"process", "os",      "env",     "ENV",      "secrets", "self",    "this",   "var",      "local",
     "data",    "config",  "cfg",     "settings", "req",     "request", "res",    "response", "args",
     "opts",    "options", "params",  "props",    "ctx",     "context", "module", "github",   "vault",
     "event",   "user",    "session", "input",    "steps",   "vars",    "inputs", "matrix",   "import"});

std::string lowered(std::string_view text) {
    std::string low{text};
    std::ranges::transform(low, low.begin(),
                           [](char byte) { return upper(byte) ? static_cast<char>(byte + 32) : byte; });
    return low;
}

// $NAME, ${…, $(…, but not $2a$10$… (a hash) or $ecr3t.
bool reference(std::string_view value) {
    if (value.size() < 2 || value[0] != '$') return false;
    if (value[1] == '{' || value[1] == '(') return value.back() == '}' || value.back() == ')';
    const auto name = value.substr(1);
    const bool plain = std::ranges::all_of(name, [](char byte) { return letter(byte) || byte == '_' || byte == ':'; });
    const bool shouting =
        std::ranges::all_of(name, [](char byte) { return upper(byte) || digit(byte) || byte == '_'; });
    return plain || (shouting && !digit(name[0])) || (name.size() == 1 && (digit(name[0]) || name[0] == '@'));
}

bool enclosed(std::string_view value, std::string_view open, std::string_view close) {
    return value.size() > open.size() + close.size() && value.starts_with(open) && value.ends_with(close);
}

// Names joined by dots or double colons, starting with a letter: parser.token, std::string.
bool path_of_names(std::string_view value) {
    if (value.empty() || !letter(value[0]) || value.find('.') == std::string_view::npos) {
        return value.find("::") != std::string_view::npos;
    }
    return std::ranges::all_of(value, [](char byte) { return letter(byte) || byte == '_' || byte == '.'; });
}

bool stand_in(std::string_view value) {
    const auto low = lowered(value);
    if (std::ranges::find(constants, low) != constants.end()) return true;
    if (std::ranges::find(stand_ins, low) != stand_ins.end()) return true;
    return std::ranges::any_of(stand_in_heads, [&](auto head) { return low.starts_with(head); });
}

// An approver must see which key goes into authorized_keys.
bool public_key(std::string_view value) {
    const auto begins = [&](auto head) { return value.starts_with(head); };
    if (std::ranges::any_of(public_heads, begins)) return true;
    return std::ranges::any_of(public_key_types, begins) && value.find_first_of("&;|`$()<>") == std::string_view::npos;
}

}  // namespace

bool placeholder(std::string_view value) {
    if (!std::ranges::any_of(value, word_byte)) return true;  // punctuation, and masks, which are one byte each
    if (std::ranges::all_of(value, [](char byte) { return byte == 'x' || byte == 'X' || byte == '-'; })) return true;
    if (reference(value) || enclosed(value, "<", ">") || enclosed(value, "{{", "}}")) return true;
    const auto percent = [](char byte) { return upper(byte) || byte == '_' || byte == '%'; };
    if (enclosed(value, "%", "%") && std::ranges::all_of(value, percent)) return true;
    return stand_in(value) || blank_token(value) || public_key(value);
}

bool blank_token(std::string_view token) {
    const auto last = token.find_last_not_of("xX*");
    const auto blanks = token.size() - (last == std::string_view::npos ? 0 : last + 1);
    return blanks >= 8 && blanks * 2 >= token.size();
}

bool code_expression(std::string_view value) {
    std::size_t end = 0;
    while (end < value.size() && (word_byte(value[end]) || value[end] == '.' || value[end] == ':')) ++end;
    const auto head = value.substr(0, end);
    if (end == 0) return value.empty() || std::string_view{"([{&*!?=@"}.find(value[0]) != std::string_view::npos;
    if (end < value.size() && (value[end] == '(' || value[end] == '[') && letter(head[0])) return true;
    const auto first = head.substr(0, head.find_first_of(".:"));
    const bool held = first.size() < head.size() && std::ranges::find(holders, first) != holders.end();
    return held || (end == value.size() && path_of_names(head));
}

bool looks_secret(std::string_view value) {
    if (value.size() < 8 || value.starts_with('/') || value.starts_with("./") || value.starts_with("~/")) return false;
    const bool digits = std::ranges::any_of(value, digit);
    const bool small = std::ranges::any_of(value, lower);
    const bool large = std::ranges::any_of(value, upper);
    const auto odd = std::ranges::count_if(value, [](char byte) { return !word_byte(byte) && byte != '-'; });
    if (static_cast<std::size_t>(odd) > value.size() / 3) return false;
    if (digits && (small || large)) return true;
    const auto inner_capitals = std::ranges::count_if(value.substr(1), upper);
    return value.size() >= 20 && small && large && inner_capitals >= 4;
}

}  // namespace countersign::security
