// SPDX-License-Identifier: Apache-2.0
#include "core/command_line.hpp"

#include "core/glob.hpp"

#include <algorithm>
#include <array>

namespace countersign {

namespace {

// They run other words of theirs, or text that is no word of theirs, as a command.
constexpr auto wrappers = std::to_array<std::string_view>({".",
                                                           "alias",
                                                           "ash",
                                                           "at",
                                                           "bash",
                                                           "batch",
                                                           "builtin",
                                                           "busybox",
                                                           "chroot",
                                                           "chrt",
                                                           "command",
                                                           "coproc",
                                                           "csh",
                                                           "dash",
                                                           "doas",
                                                           "env",
                                                           "eval",
                                                           "exec",
                                                           "fish",
                                                           "flock",
                                                           "gdb",
                                                           "ionice",
                                                           "ksh",
                                                           "ld.so",
                                                           "ltrace",
                                                           "mksh",
                                                           "nice",
                                                           "nohup",
                                                           "nsenter",
                                                           "parallel",
                                                           "pkexec",
                                                           "pwsh",
                                                           "rbash",
                                                           "run-parts",
                                                           "runuser",
                                                           "script",
                                                           "setarch",
                                                           "setpriv",
                                                           "setsid",
                                                           "sg",
                                                           "sh",
                                                           "source",
                                                           "start-stop-daemon",
                                                           "stdbuf",
                                                           "strace",
                                                           "su",
                                                           "sudo",
                                                           "systemd-run",
                                                           "taskset",
                                                           "tcsh",
                                                           "time",
                                                           "timeout",
                                                           "toybox",
                                                           "trap",
                                                           "unbuffer",
                                                           "unshare",
                                                           "watch",
                                                           "xargs",
                                                           "xvfb-run",
                                                           "yash",
                                                           "zsh"});

constexpr auto reserved =
    std::to_array<std::string_view>({"!",   "[[",       "]]", "case", "do",     "done", "elif",  "else",  "esac", "fi",
                                     "for", "function", "if", "in",   "select", "then", "until", "while", "{",    "}"});

constexpr std::array<std::string_view, 4> find_runs{"-exec", "-execdir", "-ok", "-okdir"};

template <class List> bool among(const List& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

std::string_view base_name(std::string_view path) {
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool plain(char c) {
    if (static_cast<unsigned char>(c) >= 0x80) return true;
    const bool alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return alphanumeric || std::string_view{"-_./,:=@%+^]}"}.find(c) != std::string_view::npos;
}

bool control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// The words of the line, one call of `next` a word. Every character that a shell could take for more than itself ends
// it, so the list of what is plain is the list of what is understood.
class Splitter {
public:
    explicit Splitter(std::string_view line) : rest_{line} {}

    [[nodiscard]] bool at_end() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
        return rest_.empty();
    }

    // Nothing when the word is not understood.
    std::optional<std::string> next() {
        std::string word;
        if (!tilde(word)) return std::nullopt;
        while (!rest_.empty() && rest_.front() != ' ' && rest_.front() != '\t') {
            const char c = take();
            const bool understood = c == '\''   ? single_quoted(word)
                                    : c == '"'  ? double_quoted(word)
                                    : c == '\\' ? escaped(word)
                                                : bare(c, word);
            if (!understood) return std::nullopt;
        }
        return word;
    }

private:
    char take() {
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    // `~` and `~/…` are somebody's home; `~bob` and `~+` are not read.
    bool tilde(std::string& word) {
        if (!rest_.starts_with('~')) return true;
        take();
        word += '~';
        return rest_.empty() || rest_.front() == '/' || rest_.front() == ' ' || rest_.front() == '\t';
    }

    static bool bare(char c, std::string& word) {
        if (!plain(c)) return false;
        word += c;
        return true;
    }

    bool escaped(std::string& word) {
        if (rest_.empty() || control(rest_.front())) return false;
        word += take();
        return true;
    }

    bool single_quoted(std::string& word) {
        while (!rest_.empty()) {
            const char c = take();
            if (c == '\'') return true;
            if (control(c)) return false;
            word += c;
        }
        return false;
    }

    bool double_quoted(std::string& word) {
        while (!rest_.empty()) {
            const char c = take();
            if (c == '"') return true;
            if (control(c) || c == '$' || c == '`' || c == '!') return false;
            if (c == '\\') {
                if (rest_.empty() || control(rest_.front())) return false;
                // Before any other character the backslash stays.
                if (std::string_view{"\"\\$`"}.find(rest_.front()) == std::string_view::npos) word += '\\';
                word += take();
            } else {
                word += c;
            }
        }
        return false;
    }

    std::string_view rest_;
};

bool is_plain_command_word(std::string_view word) {
    const auto strange = [](char c) {
        return static_cast<unsigned char>(c) >= 0x80 || c == '=' || control(c) || c == ' ';
    };
    return !word.empty() && std::ranges::none_of(word, strange) && !base_name(word).empty();
}

bool runs_something_else(const std::vector<std::string>& words) {
    const auto command = base_name(words.front());
    if (among(wrappers, command) || among(reserved, command)) return true;
    if (command != "find") return false;
    return std::ranges::any_of(words, [](const std::string& word) { return among(find_runs, word); });
}

std::vector<std::string_view> pattern_words(std::string_view pattern) {
    std::vector<std::string_view> words;
    while (true) {
        const auto begin = pattern.find_first_not_of(" \t");
        if (begin == std::string_view::npos) return words;
        const auto end = std::min(pattern.find_first_of(" \t", begin), pattern.size());
        words.push_back(pattern.substr(begin, end - begin));
        pattern.remove_prefix(end);
    }
}

}  // namespace

std::optional<std::vector<std::string>> simple_command(std::string_view command_line) {
    Splitter splitter{command_line};
    std::vector<std::string> words;
    while (!splitter.at_end()) {
        auto word = splitter.next();
        if (!word) return std::nullopt;
        words.push_back(std::move(*word));
    }
    if (words.empty() || !is_plain_command_word(words.front()) || runs_something_else(words)) return std::nullopt;
    return words;
}

bool command_fits(std::string_view pattern, const std::vector<std::string>& words) {
    auto wanted = pattern_words(pattern);
    const bool open_ended = !wanted.empty() && wanted.back() == "*";
    if (open_ended) wanted.pop_back();
    if (words.size() < wanted.size() || (!open_ended && words.size() != wanted.size())) return false;
    return std::equal(wanted.begin(), wanted.end(), words.begin(),
                      [](std::string_view one, const std::string& word) { return glob_fits(one, word); });
}

}  // namespace countersign
