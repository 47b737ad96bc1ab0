// SPDX-License-Identifier: Apache-2.0
#include "core/command_line.hpp"

#include "core/command_table.hpp"

#include <algorithm>
#include <array>

namespace countersign {

namespace {

constexpr auto reserved =
    std::to_array<std::string_view>({"!",   "[[",       "]]", "case", "do",     "done", "elif",  "else",  "esac", "fi",
                                     "for", "function", "if", "in",   "select", "then", "until", "while", "{",    "}"});

template <class List> bool among(const List& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

bool plain(char c) {
    if (static_cast<unsigned char>(c) >= 0x80) return true;
    const bool alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return alphanumeric || std::string_view{"-_./,:=@%+^]}"}.find(c) != std::string_view::npos;
}

bool control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// The words and operators of the line, one call of `next` or `joined` each. Every character that a shell could take for
// more than itself ends it, so the list of what is plain is the list of what is understood.
class Splitter {
public:
    explicit Splitter(std::string_view line) : rest_{line} {}

    [[nodiscard]] bool at_end() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
        return rest_.empty();
    }

    // Takes `&&` or `|` if one of them is next; `||` and `|&` are neither.
    [[nodiscard]] bool joined() {
        const bool list = rest_.starts_with("&&") && !rest_.starts_with("&&&");
        const bool pipe = rest_.starts_with('|') && !rest_.starts_with("||") && !rest_.starts_with("|&");
        if (list || pipe) rest_.remove_prefix(list ? 2 : 1);
        return list || pipe;
    }

    // Nothing when the word is not understood, or is an operator.
    std::optional<std::string> next() {
        std::string word;
        if (ends_word(rest_.front()) || !tilde(word)) return std::nullopt;
        while (!rest_.empty() && !ends_word(rest_.front())) {
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
    static bool ends_word(char c) { return c == ' ' || c == '\t' || c == '&' || c == '|'; }

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
        return rest_.empty() || rest_.front() == '/' || ends_word(rest_.front());
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
    return !word.empty() && std::ranges::none_of(word, strange) && !program_name(word).empty();
}

bool is_simple(const CommandWords& words) {
    if (words.empty() || !is_plain_command_word(words.front())) return false;
    const auto program = program_name(words.front());
    return !is_wrapper(program) && !among(reserved, program);
}

// Within a list they change what the commands after them mean.
bool keeps_its_meaning(const std::vector<CommandWords>& list) {
    return list.size() == 1 || std::ranges::none_of(list, [](const CommandWords& words) {
               return changes_the_shell(program_name(words.front()));
           });
}

}  // namespace

std::optional<std::vector<CommandWords>> command_list(std::string_view command_line) {
    Splitter splitter{command_line};
    std::vector<CommandWords> list(1);
    while (!splitter.at_end()) {
        if (splitter.joined()) {
            if (!is_simple(list.back()) || list.size() == command_parts_max) return std::nullopt;
            list.emplace_back();
            continue;
        }
        auto word = splitter.next();
        if (!word) return std::nullopt;
        list.back().push_back(std::move(*word));
    }
    if (!is_simple(list.back()) || !keeps_its_meaning(list)) return std::nullopt;
    return list;
}

std::optional<CommandWords> simple_command(std::string_view command_line) {
    auto list = command_list(command_line);
    if (!list || list->size() != 1) return std::nullopt;
    return std::move(list->front());
}

}  // namespace countersign
