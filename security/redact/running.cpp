// SPDX-License-Identifier: Apache-2.0
#include "security/redact/running.hpp"

#include "core/command/table.hpp"
#include "security/redact/bytes.hpp"
#include "security/redact/command_words.hpp"
#include "security/redact/commands.hpp"
#include "security/redact/view.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace countersign::security {
namespace {

constexpr std::string_view operators = ";|&()`\n";
constexpr std::size_t line_bytes_max = 512;
constexpr std::size_t pipeline_bytes_max = 1024;
constexpr std::size_t signs_max = 3;  // $${NAME

bool one_of(char byte, std::string_view list) { return list.find(byte) != std::string_view::npos; }
bool letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }
bool name_byte(char byte) { return letter(byte) || (byte >= '0' && byte <= '9') || byte == '_'; }

std::string without_quotes(std::string_view word) {
    static constexpr ByteSet quotes{"'\"\\\x02"};
    std::string plain;
    plain.reserve(word.size());
    for (const char byte : word) {
        if (!quotes.has(byte)) plain += byte;
    }
    return plain;
}

bool is_path(std::string_view word) {
    return word.starts_with('/') || word.starts_with("./") || word.starts_with("../") || word.starts_with("~/");
}

bool is_option(std::string_view word) {
    const auto name = word.find_first_not_of('-');
    return (name == 1 || name == 2) && letter(word[name]);
}

// An argument that doesn't look like a word of a phrase.
bool telling_argument(std::string_view word) {
    return is_option(word) || word.find_first_of("/.$~*") != std::string_view::npos;
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
        if (text.empty()) return words;
        const auto word = text.substr(0, text.find_first_of(" \t\r"));
        words.push_back(without_quotes(word));
        text.remove_prefix(word.size());
    }
}

bool is_assignment(std::string_view word) {
    const auto equals = word.find('=');
    return equals != std::string_view::npos && equals > 0 && std::ranges::all_of(word.substr(0, equals), name_byte);
}

// One command without operators.
bool reads_as_simple_command(std::string_view text, bool quoted, bool first) {
    auto words = words_of(text);
    const auto program = std::ranges::find_if_not(words, is_assignment);
    if (program == words.end()) return false;
    const auto arguments = program + 1;
    const bool telling = std::any_of(arguments, words.end(), telling_argument);
    if (first && !telling) return false;
    if (names_program(*program) || is_path(*program)) return telling || program->size() > 1;
    const bool word = std::ranges::all_of(*program, [](char byte) { return name_byte(byte) || one_of(byte, "._-+"); });
    return quoted && word && letter((*program)[0]) && std::any_of(arguments, words.end(), is_option);
}

// Programs and builtins that run any text.
constexpr auto runners = std::to_array<std::string_view>(
    {".",          "ash",   "at",     "bash",      "batch",    "chmod", "crontab",
     "dash",       "env",   "eval",   "exec",      "fish",     "iex",   "invoke-expression",
     "ksh",        "lua",   "node",   "osascript", "parallel", "perl",  "php",
     "powershell", "pwsh",  "python", "python2",   "python3",  "ruby",  "sh",
     "source",     "ssh",   "su",     "trap",      "watch",    "xargs", "zsh",
     "system",     "popen", "spawn",  "cmd",       "-exec"});
// They run a value, or print one that a shell then runs.
constexpr auto value_runners =
    std::to_array<std::string_view>({"eval", "iex", "Invoke-Expression", "printenv", "source", "xargs"});
constexpr std::size_t plain_command_bytes_max = 12;
constexpr auto decoders =
    std::to_array<std::string_view>({"base64", "base32", "b64", "xxd", "openssl", "atob", "uudecode", "-enc",
                                     "unhexlify", "fromhex", "hexdump", "\\x", "'hex'", "\"hex\"", "pack(", "basenc"});

// Programs that print their arguments unchanged.
constexpr auto printers = std::to_array<std::string_view>({"cat", "echo", "print", "printf"});
// Programs that don't print their arguments.
constexpr auto clients = std::to_array<std::string_view>(
    {"aws",     "az",    "curl", "docker", "gcloud", "gh",        "git",     "glab",  "http", "https", "kubectl",
     "mongosh", "mysql", "npm",  "op",     "psql",   "redis-cli", "sshpass", "vault", "wget", "xh"});

std::string lowered(std::string_view text) {
    std::string low = without_quotes(text);
    std::ranges::transform(low, low.begin(),
                           [](char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte; });
    return low;
}

// True if a word of the text is a runner, in any folder. Ignores a script's first line, which names its interpreter.
bool has_runner(std::string_view text) {
    if (text.starts_with("#!")) text.remove_prefix(std::min(text.find('\n'), text.size()));
    static constexpr ByteSet ends{" \t\r\n\v\f;|&()`<>,[]{}/=\x02"};
    const auto low = lowered(text);
    const std::string_view plain{low};
    for (std::size_t at = 0; at < plain.size();) {
        auto end = at;
        while (end < plain.size() && !ends.has(plain[end])) ++end;
        if (end > at && std::ranges::find(runners, plain.substr(at, end - at)) != runners.end()) return true;
        at = end + 1;
    }
    return false;
}

// True if only blanks are between `at` and a place where a command starts. Make runs the text after @ and -.
bool begins_line(std::string_view text, std::size_t at) {
    while (at > 0 && one_of(text[at - 1], " \t\"'@-")) --at;
    return at == 0 || one_of(text[at - 1], ";|&\n\v\f\r");
}

// The X of X=$TOKEN, where `at` is the position of the dollar sign.
std::string_view copy_to(std::string_view text, std::size_t at) {
    while (at > 0 && one_of(text[at - 1], "\"'(")) --at;
    if (at == 0 || text[at - 1] != '=') return {};
    const auto end = at - 1;
    auto begin = end;
    while (begin > 0 && name_byte(text[begin - 1])) --begin;
    return text.substr(begin, end - begin);
}

}  // namespace

std::string_view referred_name(std::string_view text, std::size_t at) {
    auto rest = text.substr(at + 1);
    if (text[at] == '$') {
        for (std::size_t i = 0; i < signs_max && !rest.empty() && one_of(rest[0], "${(!#"); ++i) rest.remove_prefix(1);
        for (const std::string_view head : {"env:", "ENV{", "Env:"}) {
            if (rest.starts_with(head)) rest.remove_prefix(head.size());
        }
    }
    const auto end = std::find_if_not(rest.begin(), rest.end(), name_byte);
    const auto name = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    if (text[at] == '%' && !rest.substr(name.size()).starts_with('%')) return {};
    return name;
}

bool is_set_there(std::string_view text, std::string_view name) {
    const auto after = static_cast<std::size_t>(name.data() - text.data()) + name.size();
    const auto sign = std::min(text.find_first_not_of(" \t", after), text.size());
    const auto rest = text.substr(sign);
    return rest.starts_with('=') || rest.starts_with("->") || rest.starts_with(".=");
}

bool names_program(std::string_view word) {
    const auto plain = without_quotes(word);
    return program_row(known_name(plain)) != nullptr || is_wrapper(plain) || changes_the_shell(plain);
}

bool reads_as_command(std::string_view value, bool quoted) {
    if (value.find_first_of(" \t;|&()`\n") == std::string_view::npos) return false;
    for (std::size_t at = 0; at < value.size();) {
        const auto end = std::min(value.find_first_of(operators, at), value.size());
        if (reads_as_simple_command(value.substr(at, end - at), quoted, at == 0)) return true;
        if (!quoted) return false;  // an operator ends the value
        at = end + 1;
    }
    return false;
}

std::string_view rest_of_value(std::string_view text, std::size_t at, char quote) {
    const auto line = text.substr(at, line_bytes_max);
    const auto end = quote == 0 ? std::string_view::npos : line.find(quote);
    return line.substr(0, std::min({line.find('\n'), end, line.size()}));
}

bool may_be_command(std::string_view value) {
    return value.find_first_of(" \t\n;|&<>()`$") != std::string_view::npos || is_path(value) || names_program(value);
}

bool decodes_and_runs(std::string_view text) {
    const auto low = lowered(text);
    const auto in_text = [&](std::string_view word) { return low.find(word) != std::string::npos; };
    return std::ranges::any_of(decoders, in_text) && has_runner(text);
}

bool flows_into_interpreter(std::string_view text, std::size_t at) {
    const auto rest = text.substr(at, pipeline_bytes_max);
    const auto line = rest.substr(0, rest.find_first_of(";\n"));
    auto pipe = line.find('|');
    if (pipe == std::string_view::npos) return false;
    const auto program = command_before(text, at);
    if (std::ranges::find(clients, program) != clients.end()) return false;
    if (std::ranges::find(printers, program) != printers.end()) pipe = line.find('|', pipe + 1);
    return pipe != std::string_view::npos && has_runner(line.substr(pipe));
}

bool runs_values(std::string_view text) {
    for (const std::string_view sign : {"${!", "${(P)", "system(", "system (", "popen(", "%x"}) {
        if (text.find(sign) != std::string_view::npos) return true;
    }
    static constexpr ByteSet ends{" \t\r\n\v\f;|&()`<>\"'\x02"};
    bool piped = false;
    for (std::size_t at = 0; at < text.size();) {
        auto end = at;
        while (end < text.size() && !ends.has(text[end])) ++end;
        const auto word = text.substr(at, end - at);
        if (std::ranges::find(value_runners, word) != value_runners.end()) return true;
        const auto program = word.substr(word.find_last_of('/') + 1);
        if (piped && std::ranges::find(runners, program) != runners.end()) return true;
        if (end < text.size() && one_of(text[end], "|;&\n")) piped = text[end] == '|';
        at = end + 1;
    }
    return false;
}

bool plain_command(std::string_view value) {
    const bool several = value.find(' ') != std::string_view::npos;
    const bool small = value.size() < plain_command_bytes_max && value.size() > 1;
    const auto plain = [](char byte) { return letter(byte) || one_of(byte, "-_."); };
    return (several || small) && std::ranges::all_of(value, [&](char byte) { return plain(byte) || byte == ' '; });
}

RunningNames::RunningNames(std::string_view text) : text_{text} {
    if (text.find('$') == std::string_view::npos && text.find('%') == std::string_view::npos) return;
    const CommandWords commands{text, text.find(argument_quote) != std::string_view::npos};
    for (auto at = text.find_first_of("$%"); at < text.size(); at = text.find_first_of("$%", at + 1)) {
        read_reference(at, commands.unreadable() || commands.covers(at));
    }
    runs_unknown_ = runs_unknown_ || has_runner(text);
    propagate();
}

void RunningNames::note(std::string_view name, Use use) {
    auto& known = uses_.try_emplace(name, Use::none).first->second;
    known = std::max(known, use);
}

void RunningNames::read_reference(std::size_t at, bool covered) {
    const auto name = referred_name(text_, at);
    const bool runs = covered || begins_line(text_, at);
    if (!name.empty() && is_set_there(text_, name)) return;
    runs_unknown_ = runs_unknown_ || runs;  // "$@", or $c in a loop over $TOKEN
    if (name.empty()) return;
    note(name, runs ? Use::runs : Use::none);
    if (const auto copy = copy_to(text_, at); !copy.empty()) copies_.emplace(copy, name);
}

// If X=$TOKEN, the text runs TOKEN where it runs X.
void RunningNames::propagate() {
    std::vector<std::string_view> running;
    for (const auto& [name, use] : uses_) {
        if (use == Use::runs) running.push_back(name);
    }
    while (!running.empty()) {
        const auto [first, last] = copies_.equal_range(running.back());
        running.pop_back();
        for (auto copy = first; copy != last; ++copy) {
            auto& use = uses_.at(copy->second);
            if (use != Use::runs) running.push_back(copy->second);
            use = Use::runs;
        }
    }
}

Use RunningNames::use_of(std::string_view name) const {
    const auto found = uses_.find(name);
    if (found == uses_.end()) return Use::none;
    return found->second == Use::none && runs_unknown_ ? Use::maybe : found->second;
}

}  // namespace countersign::security
