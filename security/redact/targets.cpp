// SPDX-License-Identifier: Apache-2.0
#include "security/redact/targets.hpp"

#include "security/redact/bytes.hpp"
#include "security/redact/commands.hpp"
#include "security/redact/destinations.hpp"
#include "security/redact/names.hpp"
#include "security/redact/quoting.hpp"
#include "security/redact/running.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace countersign::security {
namespace {

// How far back to search for the command of a reference.
constexpr std::size_t reach_back = 512;

bool one_of(char byte, std::string_view list) { return list.find(byte) != std::string_view::npos; }
bool digit(char byte) { return byte >= '0' && byte <= '9'; }
bool lower(char byte) { return byte >= 'a' && byte <= 'z'; }
bool upper(char byte) { return byte >= 'A' && byte <= 'Z'; }
bool letter(char byte) { return lower(byte) || upper(byte); }

template <std::size_t Size> bool among(std::string_view word, const std::array<std::string_view, Size>& list) {
    return std::ranges::find(list, word) != list.end();
}

// A word, possibly with a number before or after it. Random text changes often between letters, capitals and digits.
bool plain_word(std::string_view word) {
    std::size_t changes = 0;
    std::size_t humps = 0;
    for (std::size_t at = 1; at < word.size(); ++at) {
        changes += digit(word[at]) != digit(word[at - 1]) ? 1 : 0;
        humps += upper(word[at]) && !upper(word[at - 1]) ? 1 : 0;
    }
    return changes <= 1 && humps * 4 <= word.size() && word.size() <= 32;
}

// True if the text consists of words joined by these bytes.
bool words_joined_by(std::string_view text, std::string_view joints) {
    for (std::size_t begin = 0; begin <= text.size();) {
        auto end = begin;
        while (end < text.size() && (letter(text[end]) || digit(text[end]))) ++end;
        if (!plain_word(text.substr(begin, end - begin))) return false;
        if (end < text.size() && !one_of(text[end], joints)) return false;
        begin = end + 1;
    }
    return true;
}

constexpr std::string_view path_joints = "/._-@~ ,:*";

bool is_path(std::string_view value) {
    if (value == "~" || value == "..") return true;
    if (value.starts_with('$')) {
        const auto slash = value.find('/');
        if (slash == std::string_view::npos || slash < 2) return false;
        const auto name = [](char byte) { return upper(byte) || one_of(byte, "_{}"); };
        return std::ranges::all_of(value.substr(1, slash - 1), name) &&
               words_joined_by(value.substr(slash), path_joints);
    }
    const bool drive = value.size() > 2 && letter(value[0]) && value[1] == ':' && one_of(value[2], "/\\");
    if (drive || value.starts_with("\\\\")) return words_joined_by(value, "\\/._-~ :$");
    if (value.starts_with('~')) return value.find('/') != std::string_view::npos && words_joined_by(value, path_joints);
    const bool begins = value.starts_with('/') || value.starts_with("./") || value.starts_with("../");
    if (begins) return value.size() > 1 && words_joined_by(value, path_joints);
    const bool small = std::ranges::none_of(value, upper);
    return small && value.find('/') != std::string_view::npos && !value.ends_with('/') && letter(value[0]) &&
           words_joined_by(value, "/._-");
}

bool is_option(std::string_view value) {
    const auto name = value.find_first_not_of('-');
    return (name == 1 || name == 2) && letter(value[name]) && words_joined_by(value.substr(name), "-_=./:,");
}

bool is_address(std::string_view value) {
    const auto end = std::min(value.find_first_not_of("0123456789."), value.size());
    const auto rest = value.substr(end);
    const bool tail = rest.empty() || (one_of(rest[0], ":/") && rest.find_first_not_of("0123456789", 1) == rest.npos);
    if (std::ranges::count(value.substr(0, end), '.') == 3 && tail) return true;
    const auto digits = value.find_first_not_of("0123456789abcdefABCDEF:[]/");
    return digits == std::string_view::npos && value.find("::") != std::string_view::npos && value.size() > 2;
}

// evil.io, evil.io:x, bob@evil.io:x, evil:/x
bool is_host(std::string_view value) {
    const auto colon = std::min(value.find(':'), value.size());
    const auto host = value.substr(0, colon);
    const auto path = value.substr(std::min(colon + 1, value.size()));
    if (host.empty() || !letter(host[0]) || std::ranges::any_of(host, upper)) return false;
    if (!words_joined_by(host, ".-_@") || !words_joined_by(path, path_joints)) return false;
    if (path.starts_with('/')) return !path.starts_with("//");
    const auto dot = host.rfind('.');
    if (dot == std::string_view::npos) return false;
    const auto last = host.substr(dot + 1);
    return last.size() >= 2 && last.size() <= 6 && std::ranges::all_of(last, lower);
}

constexpr auto keywords =
    std::to_array<std::string_view>({"!", "if", "then", "else", "elif", "while", "until", "do", "time", "sudo", "exec",
                                     "env", "command", "nohup", "RUN", "CMD", "{", "@"});
constexpr auto assigners = std::to_array<std::string_view>(
    {"export", "declare", "local", "readonly", "typeset", "setenv", "set", "ENV", "ARG"});
// They test a value but don't act on it.
constexpr auto tests = std::to_array<std::string_view>({"[", "[[", "test", "case", "unset", "return", "exit", ":"});
constexpr auto printers = std::to_array<std::string_view>({"echo", "print", "printf"});
constexpr auto variable_options = std::to_array<std::string_view>({"-e", "--env", "--build-arg"});

std::string without_quotes(std::string_view word) {
    std::string plain;
    for (const char byte : word) {
        if (!one_of(byte, "'\"\\\x02")) plain += byte;
    }
    return plain;
}

// Where a shell starts the word that contains `at`.
std::size_t word_begin(std::string_view text, std::size_t at, const Quoting& quoting) {
    auto begin = at;
    while (begin > 0 && at - begin < reach_back &&
           (quoting.open_before(begin) != 0 || !one_of(text[begin - 1], " \t\n;|&()`<>\x02"))) {
        --begin;
    }
    return begin;
}

struct Place {
    std::string program = {};        // empty: there is no program before the word
    std::string before = {};         // the previous word
    std::string lead = {};           // the start of this word
    std::string first_operand = {};  // of the program, before the word
    std::size_t operands = 0;        // how many operands come before the word
    bool redirected = false;
};

Place place_of(std::string_view text, std::size_t at, const Quoting& quoting) {
    const auto begin = word_begin(text, at, quoting);
    auto head = text.substr(begin > reach_back ? begin - reach_back : 0, std::min(begin, reach_back));
    Place place{.lead = without_quotes(text.substr(begin, at - begin))};
    const auto last = head.find_last_not_of(" \t\"'");
    place.redirected =
        last != std::string_view::npos && one_of(head[last], "<>") && !head.substr(0, last).ends_with('<');
    head.remove_prefix(head.find_last_of(";|&\n(`") + 1);
    while (!head.empty()) {
        head.remove_prefix(std::min(head.find_first_not_of(" \t"), head.size()));
        const auto word = head.substr(0, head.find_first_of(" \t"));
        head.remove_prefix(word.size());
        auto plain = without_quotes(word);
        if (plain.empty()) continue;
        const bool passed = among(plain, keywords) || (plain[0] != '-' && plain.find('=') != std::string::npos);
        if (!place.program.empty() && plain[0] != '-' && place.operands++ == 0) place.first_operand = plain;
        if (place.program.empty() && !passed) place.program = plain.substr(plain.find_last_of("/\\@") + 1);
        place.before = std::move(plain);
    }
    return place;
}

bool called_secret(std::string_view name) { return judge_name(name).suspicion >= Suspicion::possible; }

// Text that echo prints is just data in a file. In a pipe or a substitution it may become an operand, unless it is a
// password that a program reads.
bool flows_on(std::string_view text, std::size_t at) {
    const auto rest = text.substr(at, reach_back);
    const auto end = rest.find_first_of("|)`;\n");
    if (end == std::string_view::npos || one_of(rest[end], ";\n")) return false;
    const auto line = rest.substr(end, rest.find('\n', end) - end);
    for (const std::string_view reader : {"stdin", "passw", " -S", "login", "kinit", "cryptsetup"}) {
        if (line.find(reader) != std::string_view::npos) return false;
    }
    return true;
}

bool takes_data_or_secret(const Place& place, std::string_view option) {
    return takes_secret(place.program, option) || takes_data(place.program, option) ||
           (option.starts_with('-') && called_secret(option));
}

// True if the command acts on its argument at this place.
bool is_operand(const Place& place) {
    const std::string_view lead = place.lead;
    if (takes_data_or_secret(place, place.before) && !lead.ends_with('@')) return false;
    if (lead.empty() || lead == ":" || lead.ends_with('@')) return true;
    if (takes_data_or_secret(place, lead)) return false;
    if (const auto name_end = lead.find_last_not_of(" \t"); name_end + 1 < lead.size()) {
        const auto words = lead.substr(0, name_end + 1);
        return !called_secret(words.substr(words.find_last_of(" \t") + 1));
    }
    if (lead.ends_with('=')) {
        const auto name = lead.substr(0, lead.size() - 1);
        return !called_secret(name.substr(name.find_last_of(" ?&;,\t") + 1)) && !among(place.before, variable_options);
    }
    return !lead.ends_with(':');
}

std::string_view copy_to(std::string_view text, std::size_t begin) {
    auto end = begin;
    while (end < text.size() && (letter(text[end]) || digit(text[end]) || text[end] == '_')) ++end;
    return end > begin && text.substr(end).starts_with('=') ? text.substr(begin, end - begin) : std::string_view{};
}

bool acts(std::string_view text, std::size_t at, const Place& place, bool copied) {
    if (place.redirected) return true;
    if (place.program.empty()) return !copied;  // it is the program
    if (among(place.program, tests) || (copied && among(place.program, assigners))) return false;
    if (among(place.program, printers)) return flows_on(text, at);
    return is_operand(place);
}

// Programs that fetch and run their operand, or use it as a program's address.
constexpr auto fetchers = std::to_array<std::string_view>({"npx", "pnpx", "bunx", "uvx"});
constexpr auto fetchers_by_verb =
    std::to_array<std::string_view>({"npm", "pnpm", "yarn", "bun", "pip", "pip3", "pipx", "uv", "docker", "podman",
                                     "git", "gem", "cargo", "go", "brew"});
constexpr auto fetching_verbs = std::to_array<std::string_view>(
    {"exec", "x", "dlx", "install", "i", "add", "run", "pull", "create", "clone", "fetch", "get"});

bool is_fetched(const Place& place) {
    if (!place.lead.empty() || takes_data_or_secret(place, place.before) || among(place.before, variable_options)) {
        return false;
    }
    if (among(place.program, fetchers)) return place.operands == 0;
    return place.operands == 1 && among(place.program, fetchers_by_verb) && among(place.first_operand, fetching_verbs);
}

// Their scripts may contain further commands after the value: s/password=.*/password=x/e
constexpr auto script_readers =
    std::to_array<std::string_view>({"sed", "gsed", "perl", "awk", "gawk", "mawk", "ed", "ex"});

// Ends the finding where the script's next part starts. Of the later parts, those with a name and a value that does
// nothing are still secret.
Findings split_script(Finding& finding, std::string_view text) {
    constexpr std::string_view ends = "/|#,;";
    const auto end = finding.end;
    finding.end = std::min(text.find_first_of(ends, finding.begin), end);
    Findings parts;
    for (auto begin = finding.end + 1; begin < end;) {
        const auto part_end = std::min(text.find_first_of(ends, begin), end);
        const auto part = text.substr(begin, part_end - begin);
        const auto name_end = part.find_first_of("=:");
        if (name_end != std::string_view::npos && part.find_first_of("$`", name_end) == std::string_view::npos) {
            auto named = finding;
            named.begin = begin + name_end + 1;
            named.end = part_end;
            named.value = 0;
            parts.push_back(named);
        }
        begin = part_end + 1;
    }
    return parts;
}

}  // namespace

void keep_fetched_visible(Findings& findings, std::string_view text) {
    if (findings.empty()) return;
    const Quoting quoting{text};
    Findings parts;
    for (auto& finding : findings) {
        if (finding.evidence == Evidence::known) continue;
        const auto place = place_of(text, finding.begin, quoting);
        const auto rest = text.substr(finding.end);
        if (is_fetched(place) && (rest.empty() || one_of(rest[0], " \t\r\n;|&)'\"`\x02"))) finding.end = finding.begin;
        if (finding.evidence == Evidence::name && among(place.program, script_readers)) {
            const auto rest_of_script = split_script(finding, text);
            parts.insert(parts.end(), rest_of_script.begin(), rest_of_script.end());
        }
    }
    findings.insert(findings.end(), parts.begin(), parts.end());
    std::erase_if(findings, [](const Finding& finding) { return finding.begin >= finding.end; });
}

bool plain_words(std::string_view value) { return !value.empty() && words_joined_by(value, "._-/:@ "); }

bool names_target(std::string_view value) {
    if (value.size() < 2) return value == "~";
    return is_path(value) || is_option(value) || is_address(value) || is_host(value);
}

TargetNames::TargetNames(std::string_view text) {
    const Quoting quoting{text};
    for (auto at = text.find_first_of("$%"); at < text.size(); at = text.find_first_of("$%", at + 1)) {
        const auto name = referred_name(text, at);
        if (name.empty() || is_set_there(text, name)) continue;
        const auto begin = word_begin(text, at, quoting);
        const auto quote = begin < at && one_of(text[begin], "'\"") ? begin + 1 : begin;
        const auto copy = copy_to(text, quote);
        if (!copy.empty()) copies_.emplace(copy, name);
        if (acts(text, at, place_of(text, at, quoting), !copy.empty())) names_.insert(name);
    }
    propagate();
}

// If X=$TOKEN, a command that acts on X acts on TOKEN.
void TargetNames::propagate() {
    std::vector<std::string_view> left(names_.begin(), names_.end());
    while (!left.empty()) {
        const auto [first, last] = copies_.equal_range(left.back());
        left.pop_back();
        for (auto copy = first; copy != last; ++copy) {
            if (names_.insert(copy->second).second) left.push_back(copy->second);
        }
    }
}

}  // namespace countersign::security
