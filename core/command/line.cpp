// SPDX-License-Identifier: Apache-2.0
#include "core/command/line.hpp"

#include "core/command/table.hpp"

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

bool is_wildcard(char c) { return c == '*' || c == '?' || c == '['; }
bool control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

struct Word {
    std::string text = {};
    bool expands = false;  // contains an unquoted wildcard
};

// Splits the line into words and operators. It accepts only characters on a list of plain ones and rejects all others,
// because a shell could give them a meaning that we don't know.
class Splitter {
public:
    explicit Splitter(std::string_view line) : rest_{line} {}

    [[nodiscard]] bool at_end() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
        return rest_.empty();
    }

    // Consumes `&&` or `|` if it comes next; `||` and `|&` aren't accepted.
    [[nodiscard]] bool joined() {
        const bool list = rest_.starts_with("&&") && !rest_.starts_with("&&&");
        const bool pipe = rest_.starts_with('|') && !rest_.starts_with("||") && !rest_.starts_with("|&");
        if (list || pipe) rest_.remove_prefix(list ? 2 : 1);
        return list || pipe;
    }

    // Consumes a redirection that writes and reads no file. `&>` isn't accepted: sh parses it as `&` and another
    // command.
    [[nodiscard]] bool redirected() {
        for (const std::string_view copy : {"2>&1", "1>&2", ">&2", ">&1"}) {
            if (begins_with_word(rest_, copy)) return take(copy.size());
        }
        for (const std::string_view sign : {"2>>", "2>", "1>>", "1>", ">>", ">", "<"}) {
            if (!rest_.starts_with(sign)) continue;
            constexpr std::string_view nowhere = "/dev/null";
            const auto begin = std::min(rest_.find_first_not_of(" \t", sign.size()), rest_.size());
            return begins_with_word(rest_.substr(begin), nowhere) && take(begin + nowhere.size());
        }
        return false;
    }

    // Consumes a comment. A shell without comments wouldn't run anything from this text either.
    [[nodiscard]] bool comment() {
        if (!rest_.starts_with('#')) return false;
        const bool plain_text =
            rest_.find_first_of("$`;&|<>()!\\") == rest_.npos && std::ranges::none_of(rest_, control);
        return plain_text && take(rest_.size());
    }

    // nullopt if the word can't be parsed or is an operator.
    std::optional<Word> next() {
        Word next;
        auto& word = next.text;
        if (ends_word(rest_.front()) || !tilde(word)) return std::nullopt;
        if (begins_with_word(rest_, "[")) {
            take();
            return Word{.text = "["};
        }
        while (!rest_.empty() && !ends_word(rest_.front())) {
            const char c = take();
            const bool understood = c == '\''   ? single_quoted(word)
                                    : c == '"'  ? double_quoted(word)
                                    : c == '\\' ? escaped(word)
                                                : bare(c, next);
            if (!understood) return std::nullopt;
        }
        return next;
    }

private:
    static bool ends_word(char c) { return c == ' ' || c == '\t' || c == '&' || c == '|'; }

    static bool begins_with_word(std::string_view text, std::string_view word) {
        return text.starts_with(word) && (text.size() == word.size() || ends_word(text[word.size()]));
    }

    bool take(std::size_t count) {
        rest_.remove_prefix(count);
        return true;
    }

    char take() {
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    // Accepts `~` and `~/…`, which are the user's home; rejects `~bob` and `~+`.
    bool tilde(std::string& word) {
        if (!rest_.starts_with('~')) return true;
        take();
        word += '~';
        return rest_.empty() || rest_.front() == '/' || ends_word(rest_.front());
    }

    static bool bare(char c, Word& word) {
        word.expands |= is_wildcard(c);
        word.text += c;
        return plain(c) || is_wildcard(c);
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
                // Before any other character the backslash is kept.
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

// find -name *.c: no option or operator of find contains a dot, so find rejects the line if several files match.
bool is_name_for_find(std::string_view word, const CommandWords& before) {
    const bool named = before.size() > 1 && (before.back() == "-name" || before.back() == "-iname");
    return named && program_name(before.front()) == "find" && word.find('.') != word.npos &&
           word.find('[') == word.npos;
}

bool may_expand(std::string_view word, const CommandWords& before, Wildcards wildcards) {
    return !before.empty() && (wildcards == Wildcards::kept || is_name_for_find(word, before));
}

// An upper bound for the bytes of all texts in the word that may be paths.
std::size_t bytes_of_texts(std::string_view word) {
    const auto begins =
        std::ranges::count_if(word, [](char c) { return c == '=' || c == ':' || c == ',' || c == '@'; });
    return word.size() * (static_cast<std::size_t>(begins) + glued_values(word).size());
}

// Shell builtins in a list change what the commands after them mean.
bool keeps_its_meaning(const std::vector<CommandWords>& list) {
    return list.size() == 1 || std::ranges::none_of(list, [](const CommandWords& words) {
               return changes_the_shell(program_name(words.front()));
           });
}

}  // namespace

std::optional<std::vector<CommandWords>> command_list(std::string_view command_line, Wildcards wildcards) {
    if (command_line.size() > command_line_bytes_max) return std::nullopt;
    Splitter splitter{command_line};
    std::vector<CommandWords> list(1);
    std::size_t words = 0;
    std::size_t texts = 0;
    while (!splitter.at_end()) {
        if (splitter.redirected() || splitter.comment()) continue;
        if (splitter.joined()) {
            if (!is_simple(list.back()) || list.size() == command_parts_max) return std::nullopt;
            list.emplace_back();
            continue;
        }
        auto word = splitter.next();
        if (!word || ++words > command_words_max) return std::nullopt;
        texts += bytes_of_texts(word->text);
        if (texts > command_texts_bytes_max) return std::nullopt;
        if (word->expands && !may_expand(word->text, list.back(), wildcards)) return std::nullopt;
        list.back().push_back(std::move(word->text));
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
