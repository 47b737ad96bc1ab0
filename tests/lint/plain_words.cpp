// SPDX-License-Identifier: Apache-2.0
#include "tests/lint/plain_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace countersign::lint {
namespace {

// A phrase, and the words before or after it that make it harmless. "*" is any word, "#" one that begins with a digit.
struct Phrase {
    std::vector<std::string_view> words;
    std::vector<std::string_view> unless_after = {};
    std::vector<std::string_view> unless_before = {};
};

const std::vector<Phrase>& phrases() {
    // "There is no such command" and "it is no longer valid" are plain.
    static const std::vector<std::string_view> existential{"there", "here"};
    static const std::vector<std::string_view> adverbs{"longer", "more", "such", "one", "matter"};
    static const std::vector<Phrase> list{
        {{"whoever"}},
        {{"whomever"}},
        {{"whom"}},
        {{"whatever"}},
        {.words = {"somebody"}},
        // The account that many systems have.
        {.words = {"nobody"}, .unless_after = {"user", "account"}},
        {{"everybody"}},
        {{"anew"}},
        {{"goes", "by"}},
        {{"go", "by"}},
        {.words = {"is", "no", "*"}, .unless_after = existential, .unless_before = adverbs},
        {.words = {"are", "no", "*"}, .unless_after = existential, .unless_before = adverbs},
        {.words = {"was", "no", "*"}, .unless_after = existential, .unless_before = adverbs},
        {{"of", "ours"}},
        {{"of", "yours"}},
        {{"DESIGN", "#"}},
        {{"design", "card"}},
        {{"lies", "in"}},
        {.words = {"stands", "in"}, .unless_before = {"for"}},
        {{"D1"}},
        {{"D2"}},
        {{"D3"}},
        {{"D4"}},
        {{"D5"}},
        {{"D6"}},
        {{"D7"}},
        {{"D8"}},
    };
    return list;
}

// A line that has to say it: where it is, and a part of it.
struct Allowed {
    std::string_view path;
    std::string_view part;
};
constexpr std::array<Allowed, 1> allowed{{
    {"tests/lint/plain_words", ""},  // the list itself
}};

bool fits(std::string_view pattern, std::string_view word) {
    if (pattern == "*") return !word.empty();
    if (pattern == "#") return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0;
    return pattern == word;
}

bool is_at(const Phrase& phrase, std::span<const ProseWord> words, std::size_t at) {
    if (at + phrase.words.size() > words.size()) return false;
    for (std::size_t i = 0; i < phrase.words.size(); ++i) {
        if (!fits(phrase.words[i], words[at + i].text)) return false;
    }
    const auto is_one_of = [](const auto& list, std::string_view word) {
        return std::ranges::find(list, word) != list.end();
    };
    if (at > 0 && is_one_of(phrase.unless_after, words[at - 1].text)) return false;
    if (is_one_of(phrase.unless_before, words[at + phrase.words.size() - 1].text)) return false;
    return at + phrase.words.size() >= words.size() ||
           !is_one_of(phrase.unless_before, words[at + phrase.words.size()].text);
}

bool is_word_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\'' || c == '-';
}

std::string cased(std::string_view word) {
    std::string out{word};
    if (std::ranges::none_of(word, [](unsigned char c) { return std::islower(c) != 0; }) && word.size() > 1) return out;
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

class Reader {
public:
    Reader(std::string_view text, Prose prose) : text_{text}, prose_{prose} {}

    std::vector<ProseWord> words() {
        if (prose_ == Prose::everything) {
            read_prose(text_.size());
        } else {
            while (at_ < text_.size()) step();
        }
        return std::move(words_);
    }

private:
    void step() {
        const auto rest = text_.substr(at_);
        if (rest.starts_with("//")) {
            at_ += 2;
            read_prose(std::min(text_.find('\n', at_), text_.size()));
        } else if (rest.starts_with("/*")) {
            read_prose(std::min(text_.find("*/", at_ + 2), text_.size()));
        } else if (rest.starts_with("R\"")) {
            const auto open = std::min(text_.find('(', at_), text_.size());
            const auto end = ")" + std::string{text_.substr(at_ + 2, open - at_ - 2)} + "\"";
            read_string(open, std::min(text_.find(end, open), text_.size()), end.size());
        } else if (rest.front() == '"' || rest.front() == '`') {
            read_string(at_ + 1, end_of_string(rest.front()), 1);
        } else if (rest.front() == '\'') {
            skip_character();
        } else {
            if (rest.front() == '\n') ++line_;
            if (std::isspace(static_cast<unsigned char>(rest.front())) == 0) gap();
            ++at_;
        }
    }

    std::size_t end_of_string(char quote) const {
        for (auto end = at_ + 1; end < text_.size(); ++end) {
            if (text_[end] == '\\') {
                ++end;
            } else if (text_[end] == quote || (quote == '"' && text_[end] == '\n')) {
                return end;
            }
        }
        return text_.size();
    }

    // 'x', '\n', or the strings of JavaScript; a digit separator is none of them.
    void skip_character() {
        const bool separator = at_ > 0 && std::isalnum(static_cast<unsigned char>(text_[at_ - 1])) != 0;
        const auto end = text_.find_first_of("'\n", at_ + (text_.substr(at_).starts_with("'\\") ? 3 : 1));
        if (separator || end == std::string_view::npos || text_[end] == '\n') {
            ++at_;
            return;
        }
        read_string(at_ + 1, end, 1);
    }

    void read_string(std::size_t begin, std::size_t end, std::size_t closing) {
        for (; at_ < begin; ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
        if (prose_ == Prose::comments_and_strings) {
            read_prose(end);
        } else {
            gap();
            for (; at_ < end; ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
        }
        at_ = std::min(end + closing, text_.size());
    }

    void read_prose(std::size_t end) {
        while (at_ < end) {
            if (!is_word_char(text_[at_])) {
                read_other();
                continue;
            }
            const auto begin = at_;
            while (at_ < end && is_word_char(text_[at_])) ++at_;
            words_.push_back({.text = cased(text_.substr(begin, at_ - begin)), .line = line_});
        }
    }

    // Between two words: blanks and mark-up join them, punctuation and an escape don't.
    void read_other() {
        const char c = text_[at_++];
        if (c == '\n') ++line_;
        if (c == '\\' && at_ < text_.size() && text_[at_] != '\n') ++at_;
        constexpr std::string_view joining{" \t\n*`/#>|\""};
        if (joining.find(c) == joining.npos) gap();
    }

    void gap() {
        if (!words_.empty() && !words_.back().text.empty()) words_.push_back({.text = {}, .line = line_});
    }

    std::string_view text_;
    Prose prose_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
    std::vector<ProseWord> words_;
};

std::string_view line_at(std::string_view text, std::size_t number) {
    for (; number > 1; --number) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return text.substr(0, text.find('\n'));
}

bool is_allowed(std::string_view path, std::string_view line) {
    return std::ranges::any_of(
        allowed, [&](const Allowed& one) { return path.starts_with(one.path) && line.find(one.part) != line.npos; });
}

}  // namespace

Prose prose_of(std::string_view path) {
    constexpr std::array code{".cpp", ".hpp", ".js", ".mjs", ".in", ".go"};
    if (std::ranges::none_of(code, [&](const auto* end) { return path.ends_with(end); })) return Prose::everything;
    return path.starts_with("tests/") ? Prose::comments : Prose::comments_and_strings;
}

std::vector<ProseWord> words_of(std::string_view text, Prose prose) { return Reader{text, prose}.words(); }

std::vector<std::string> hard_words(std::string_view path, std::string_view text) {
    std::vector<std::string> found;
    const auto words = words_of(text, prose_of(path));
    for (std::size_t at = 0; at < words.size(); ++at) {
        for (const auto& phrase : phrases()) {
            if (!is_at(phrase, words, at) || is_allowed(path, line_at(text, words[at].line))) continue;
            std::string hit = std::string{path} + ":" + std::to_string(words[at].line) + ":";
            for (std::size_t i = 0; i < phrase.words.size(); ++i) hit += " " + words[at + i].text;
            found.push_back(std::move(hit));
        }
    }
    return found;
}

}  // namespace countersign::lint
