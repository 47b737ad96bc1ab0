// SPDX-License-Identifier: Apache-2.0
#include "core/command/risk.hpp"

#include "core/path.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace countersign {

namespace {

using Words = CommandWords;

constexpr std::string_view readers =
    "ls cat head tail wc pwd echo printf whoami id uname which stat du df grep egrep fgrep diff cmp cut basename "
    "dirname "
    "realpath readlink true false ps nl tac md5sum sha1sum sha256sum sha512sum cksum strings column find sort uniq "
    "tree rg "
    "date file fd fdfind sed awk gawk mawk nawk jq tr rev fold expand paste join comm seq nproc arch groups od hexdump "
    "test [";
constexpr auto deleters =
    std::to_array<std::string_view>({"rm", "rmdir", "unlink", "shred", "truncate", "wipefs", "srm"});
constexpr auto writers = std::to_array<std::string_view>({"mkdir", "touch", "cp", "mv", "tee", "ln"});
constexpr auto reachers = std::to_array<std::string_view>({
    "curl", "wget",  "nc",   "ncat",     "netcat", "telnet",  "ssh",  "scp", "sftp", "rsync",
    "ftp",  "socat", "dig",  "nslookup", "host",   "ping",    "npm",  "npx", "pnpm", "yarn",
    "pip",  "pip3",  "pipx", "uv",       "apt",    "apt-get", "brew", "gem", "gh",
});
constexpr auto system_changers = std::to_array<std::string_view>({
    "chmod",  "chown",     "chgrp",   "kill",   "killall",  "pkill",   "dd",      "mount",
    "umount", "systemctl", "service", "reboot", "shutdown", "crontab", "useradd", "usermod",
    "passwd", "iptables",  "sysctl",  "mkfs",   "fdisk",    "setfacl", "visudo",
});
constexpr std::string_view git_readers =
    "status log diff show rev-parse ls-files ls-tree blame describe shortlog cat-file grep rev-list diff-tree show-ref "
    "for-each-ref merge-base name-rev";
constexpr auto git_writers = std::to_array<std::string_view>({"add", "commit"});
constexpr auto git_reachers =
    std::to_array<std::string_view>({"push", "pull", "fetch", "clone", "ls-remote", "submodule"});

template <class List> bool among(const List& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

Risk risk_of(Danger arguments) {
    switch (arguments) {
    case Danger::writes:
        return {RiskLevel::high, "argument writes a file"};
    case Danger::deletes:
        return {RiskLevel::high, "deletes files"};
    case Danger::none:
    case Danger::repository:
    case Danger::runs:
        break;
    }
    return {RiskLevel::high, "argument runs a program"};
}

// The words that may be paths: operands, and option values after `=` or glued to a letter.
std::vector<std::string_view> path_words(const Words& words) {
    std::vector<std::string_view> paths;
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
        const std::string_view text = *word;
        if (!text.starts_with('-')) {
            paths.push_back(text);
        } else {
            if (const auto equals = text.find('='); equals != text.npos) paths.push_back(text.substr(equals + 1));
            std::ranges::copy(glued_values(text), std::back_inserter(paths));  // -C/etc, -rf../x, -uflink
        }
    }
    return paths;
}

constexpr std::string_view wide_argument = "argument overwrites, deletes or runs";

Risk git_risk(const Words& words, bool elsewhere) {
    const auto index = subcommand_index(words);
    const std::string_view verb = index < words.size() ? std::string_view{words[index]} : std::string_view{};
    if (verb == "clean" || verb == "rm") return {RiskLevel::high, "deletes files"};
    if (!words_to_spell_out(words).empty()) return {RiskLevel::high, std::string{wide_argument}};
    if (among(git_reachers, verb)) return {RiskLevel::high, "reaches the network"};
    const auto danger = danger_of(words);
    if (danger.arguments != Danger::none) return risk_of(danger.arguments);
    if (elsewhere) return {RiskLevel::high, "repository chosen by the agent"};
    if (among(git_writers, verb)) return {RiskLevel::medium, "changes the repository"};
    if (lists_word(git_readers, verb)) return {RiskLevel::medium, "may run programs of the repository"};
    return {RiskLevel::high, "unknown command"};
}

Risk read_risk(const Words& words, bool all_inside) {
    const auto command = system_program(words.front());
    if (all_inside || command == "echo" || command == "printf") return {RiskLevel::low, "read-only command"};
    return {RiskLevel::medium, "reads outside the working directory"};
}

bool is_wild(std::string_view word) { return word.find_first_of("*?[") != word.npos; }

// True if a matching file name could be parsed as an option or operand that does more than read.
bool may_gain_option(const Words& words) {
    const auto* row = program_row(known_name(program_name(words.front())));
    if (row == nullptr || row->operands != Operands::plain) return true;
    const auto begins_wild = [](std::string_view word) { return is_wild(word.substr(0, 1)); };
    const bool reads_only = row->runs.empty() && row->writes.empty() && row->deletes.empty();
    return !reads_only && std::any_of(words.begin() + 1, words.end(), begins_wild);
}

Risk by_command(const Words& words, const CommandPlace& place) {
    const auto command = system_program(words.front());
    const auto paths = path_words(words);
    // If the call chose its own directory, that isn't the one in which the agent was started.
    const bool all_inside = !place.elsewhere && std::ranges::all_of(paths, [&place](std::string_view path) {
        return inside(path, place.cwd);
    });
    if (only_reads(words)) return read_risk(words, all_inside && !reads_unnamed_files(words));
    if (among(deleters, command)) return {RiskLevel::high, "deletes files"};
    if (among(reachers, command)) return {RiskLevel::high, "reaches the network"};
    if (among(system_changers, command)) return {RiskLevel::high, "changes the system"};
    if (command == "git") return git_risk(words, place.elsewhere);
    if (const auto danger = danger_of(words); danger.arguments != Danger::none) return risk_of(danger.arguments);
    if (!words_to_spell_out(words).empty()) return {RiskLevel::high, std::string{wide_argument}};
    if (among(writers, command)) {
        if (all_inside) return {RiskLevel::medium, "writes files"};
        return {RiskLevel::high, "writes outside the working directory"};
    }
    return {RiskLevel::high, "unknown command"};
}

}  // namespace

bool only_reads(const Words& words) {
    const auto command = system_program(words.front());
    const auto danger = danger_of(words);
    if (danger.arguments != Danger::none || danger.nature != Danger::none) return false;
    return lists_word(readers, command) || (command == "git" && git_is_guarded(words));
}

Risk command_risk(const Words& words, const CommandPlace& place) {
    const auto paths = path_words(words);
    const auto secret = [&place](std::string_view path) { return bears_secrets(path, place.cwd); };
    const auto selects = [&place](std::string_view pattern) { return selects_secrets(pattern, place.cwd); };
    if (std::ranges::any_of(paths, secret) || std::ranges::any_of(file_patterns(words), selects)) {
        return {RiskLevel::high, "secret path"};
    }
    return by_command(words, place);
}

Risk wildcard_risk(const Words& words, const CommandPlace& place) {
    auto risk = command_risk(words, place);
    if (risk.level == RiskLevel::high || std::none_of(words.begin() + 1, words.end(), is_wild)) return risk;
    const auto selects = [&](std::string_view word) { return is_wild(word) && selects_secrets(word, place.cwd); };
    if (std::any_of(words.begin() + 1, words.end(), selects)) return {RiskLevel::high, "secret path"};
    if (!only_reads(words) || may_gain_option(words)) return {RiskLevel::high, "unparsed command"};
    return {RiskLevel::medium, "reads outside the working directory"};
}

}  // namespace countersign
