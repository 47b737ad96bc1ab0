// SPDX-License-Identifier: Apache-2.0
#include "runtimes/codex/shell_script.hpp"

#include <algorithm>
#include <array>

namespace countersign::runtimes::codex {

namespace {

constexpr auto shells = std::to_array<std::string_view>({"bash", "dash", "sh", "zsh"});

bool is_shell(std::string_view program) {
    for (const std::string_view directory : {"/bin/", "/usr/bin/"}) {
        if (program.starts_with(directory)) {
            program.remove_prefix(directory.size());
            break;
        }
    }
    return std::ranges::find(shells, program) != shells.end();
}

bool is_plain(char c) {
    if (static_cast<unsigned char>(c) >= 0x80) return true;
    const bool alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return alphanumeric || std::string_view{"-_./,:=@%+"}.find(c) != std::string_view::npos;
}

bool take_single_quoted(std::string_view& rest, std::string& word) {
    const auto end = rest.find('\'');
    if (end == rest.npos) return false;
    word += rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return true;
}

bool take_double_quoted(std::string_view& rest, std::string& word) {
    while (!rest.empty()) {
        const char c = rest.front();
        rest.remove_prefix(1);
        if (c == '"') return true;
        if (c == '$' || c == '`' || c == '!') return false;
        if (c == '\\') {
            if (rest.empty() || std::string_view{"\"\\$`"}.find(rest.front()) == std::string_view::npos) return false;
            word += rest.front();
            rest.remove_prefix(1);
        } else {
            word += c;
        }
    }
    return false;
}

bool take_word(std::string_view& rest, std::string& word) {
    while (!rest.empty() && rest.front() != ' ') {
        const char c = rest.front();
        rest.remove_prefix(1);
        if (c == '\'') {
            if (!take_single_quoted(rest, word)) return false;
        } else if (c == '"') {
            if (!take_double_quoted(rest, word)) return false;
        } else if (c == '\\') {
            if (rest.empty() || rest.front() == '\n') return false;
            word += rest.front();
            rest.remove_prefix(1);
        } else if (is_plain(c)) {
            word += c;
        } else {
            return false;
        }
    }
    return true;
}

}  // namespace

std::optional<std::string> script_in(const std::vector<std::string>& argv) {
    if (argv.size() != 3 || !is_shell(argv[0]) || (argv[1] != "-lc" && argv[1] != "-c")) return std::nullopt;
    return argv[2];
}

std::optional<std::string> script_in(std::string_view command_line) {
    std::vector<std::string> argv;
    while (!command_line.empty()) {
        if (argv.size() == 3) return std::nullopt;
        std::string word;
        if (!take_word(command_line, word)) return std::nullopt;
        argv.push_back(std::move(word));
        if (command_line.empty()) break;
        command_line.remove_prefix(1);  // the space between two words
        if (command_line.empty() || command_line.front() == ' ') return std::nullopt;
    }
    return script_in(argv);
}

}  // namespace countersign::runtimes::codex
