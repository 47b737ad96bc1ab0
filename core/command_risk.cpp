// SPDX-License-Identifier: Apache-2.0
#include "core/command_risk.hpp"

#include "core/command_line.hpp"
#include "core/path.hpp"

#include <algorithm>
#include <array>

namespace countersign {

namespace {

using Words = std::vector<std::string>;

constexpr auto readers = std::to_array<std::string_view>({
    "ls",      "cat",      "head",     "tail", "wc",    "pwd",   "echo",  "printf", "whoami", "id",        "uname",
    "which",   "stat",     "du",       "df",   "grep",  "egrep", "fgrep", "diff",   "cmp",    "cut",       "basename",
    "dirname", "realpath", "readlink", "true", "false", "ps",    "nl",    "tac",    "md5sum", "sha256sum", "cksum",
    "strings", "column",   "find",     "sort", "tree",  "rg",    "git",   "date",
});
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
constexpr auto git_readers = std::to_array<std::string_view>({
    "status",
    "log",
    "diff",
    "show",
    "rev-parse",
    "ls-files",
    "ls-tree",
    "blame",
    "describe",
    "shortlog",
    "cat-file",
});
constexpr auto git_writers = std::to_array<std::string_view>({"add", "commit"});
constexpr auto git_reachers =
    std::to_array<std::string_view>({"push", "pull", "fetch", "clone", "ls-remote", "submodule"});

template <class List> bool among(const List& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

bool any_word(const Words& words, auto&& test) { return std::any_of(words.begin() + 1, words.end(), test); }

// The options by which a reader writes a file or runs a program after all.
bool turns_reader_into_more(std::string_view command, std::string_view word) {
    const auto starts = [word](std::string_view text) { return word.starts_with(text); };
    const bool short_option = word.size() > 1 && word[0] == '-' && word[1] != '-';
    if (command == "sort") {
        return starts("--o") || starts("--co") || starts("--files0") || starts("--t") || starts("-T") ||
               (short_option && word.find('o') != word.npos);
    }
    if (command == "tree") return short_option && word.find_first_of("oR") != word.npos;
    if (command == "rg")
        return starts("--p") || starts("--hostname-bin") || starts("--search-zip") ||
               (short_option && word.find('z') != word.npos);
    if (command == "find") return starts("-delete") || starts("-fprint") || starts("-fls") || starts("-files0");
    if (command == "git") {
        return (starts("--o") && word != "--oneline") || starts("--ext") || starts("--textc") || starts("--exec") ||
               starts("-c") || starts("--upload-pack") || starts("--config") || starts("--filters");
    }
    if (command == "ps") return !starts("-") && word.find('e') != word.npos;  // BSD's e prints environments
    if (command == "date") return !starts("+") && word != "-u" && !starts("-I");
    if (command == "diff") return starts("--to-file") || starts("-l") || starts("--pag");
    return false;
}

// A path of its own for the command word would let ./ls be taken for ls.
bool named_plainly(const Words& words) { return words.front().find('/') == std::string::npos; }

// The operands, and what follows a '=' in an option: the words that may be paths.
std::vector<std::string_view> path_words(const Words& words) {
    std::vector<std::string_view> paths;
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
        const std::string_view text = *word;
        if (!text.starts_with('-')) {
            paths.push_back(text);
        } else if (const auto equals = text.find('='); equals != text.npos) {
            paths.push_back(text.substr(equals + 1));
        } else if (text.size() > 2 && text[1] != '-') {
            paths.push_back(text.substr(2));  // -C/etc
        }
    }
    return paths;
}

Risk git_risk(const Words& words) {
    const std::string_view verb = words.size() > 1 ? std::string_view{words[1]} : std::string_view{};
    if (among(git_reachers, verb)) return {RiskLevel::high, "reaches the network"};
    if (verb == "clean" || verb == "rm") return {RiskLevel::high, "deletes files"};
    if (among(git_writers, verb)) return {RiskLevel::medium, "changes the repository"};
    return {RiskLevel::high, "unknown command"};
}

Risk by_command(const Words& words, std::string_view cwd) {
    const std::string_view command = words.front();
    const auto paths = path_words(words);
    const bool all_inside = std::ranges::all_of(paths, [cwd](std::string_view path) { return inside(path, cwd); });
    if (only_reads(words)) {
        if (all_inside || command == "echo" || command == "printf") return {RiskLevel::low, "read-only command"};
        return {RiskLevel::medium, "reads outside the working directory"};
    }
    const bool find_deletes = command == "find" && among(words, "-delete");
    if (find_deletes || among(deleters, command)) return {RiskLevel::high, "deletes files"};
    if (among(reachers, command)) return {RiskLevel::high, "reaches the network"};
    if (among(system_changers, command)) return {RiskLevel::high, "changes the system"};
    if (command == "git") return git_risk(words);
    if (among(writers, command)) {
        if (all_inside) return {RiskLevel::medium, "writes files"};
        return {RiskLevel::high, "writes outside the working directory"};
    }
    return {RiskLevel::high, "unknown command"};
}

}  // namespace

bool only_reads(const Words& words) {
    const std::string_view command = words.front();
    if (!named_plainly(words) || !among(readers, command)) return false;
    if (command == "git" && (words.size() < 2 || !among(git_readers, words[1]))) return false;
    return !any_word(words, [command](std::string_view word) { return turns_reader_into_more(command, word); });
}

Risk command_risk(std::string_view command_line, std::string_view cwd) {
    const auto words = simple_command(command_line);
    if (!words) return {RiskLevel::high, "unparsed command"};
    const auto paths = path_words(*words);
    if (std::ranges::any_of(paths, [cwd](std::string_view path) { return bears_secrets(path, cwd); })) {
        return {RiskLevel::high, "secret path"};
    }
    return by_command(*words, cwd);
}

}  // namespace countersign
