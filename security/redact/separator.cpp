// SPDX-License-Identifier: Apache-2.0
#include "security/redact/separator.hpp"

#include "security/redact/shell.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace countersign::security {
namespace {

std::size_t skip(std::string_view text, std::size_t at, std::string_view what) {
    return std::min(text.find_first_not_of(what, at), text.size());
}

std::string_view head_before(std::string_view text, std::size_t at) {
    return text.substr(at > 64 ? at - 64 : 0, std::min<std::size_t>(at, 64));
}

std::string_view word_before(std::string_view text, std::size_t at) {
    static constexpr std::string_view gap = " \t\"'\x02\\=";
    const auto head = head_before(text, at);
    const auto end = head.find_last_not_of(gap);
    if (end == std::string_view::npos || end + 1 == head.size()) return {};
    const auto begin = head.substr(0, end + 1).find_last_of(" \t\n\"'\x02=;|&(");
    return begin == std::string_view::npos ? head.substr(0, end + 1) : head.substr(begin + 1, end - begin);
}

// docker run --rm -e 'a=b c', with only options before it: the words after an image are a separate command, and perl
// would run what docker treats as an assignment.
bool sets_container_variable(std::string_view before) {
    before.remove_prefix(before.find_last_of(";|&\n(") + 1);
    std::vector<std::string> words(1);
    for (const char byte : before) {
        if (byte == ' ' || byte == '\t') {
            words.emplace_back();
        } else if (byte != '"' && byte != '\'' && byte != '\x02') {
            words.back() += byte;
        }
    }
    std::erase(words, "");
    if (words.size() < 3 || words.back() != "-e") return false;
    const bool tool = words[0] == "docker" || words[0] == "podman" || words[0] == "nerdctl";
    const bool starts = words[1] == "run" || words[1] == "exec" || words[1] == "create";
    return tool && starts &&
           std::all_of(words.begin() + 2, words.end(), [](const auto& word) { return word.starts_with('-'); });
}

// After these the next word is one assignment, including its quotes.
bool takes_assignment(std::string_view word) {
    static constexpr auto list = std::to_array<std::string_view>(
        {"--env", "--build-arg", "--set", "--set-string", "export", "setenv", "--body", "-d", "--data"});
    return std::ranges::find(list, word) != list.end();
}

bool takes_two_words(std::string_view word) {
    static constexpr auto list =
        std::to_array<std::string_view>({"set", "setx", "setenv", "-gx", "-Ux", "-x", "SET", "ENV"});
    if (word.size() > 6) return false;
    return std::ranges::find(list, word) != list.end();
}

// git -c alias.token='!reboot': git runs the values of these settings.
bool sets_git_command(std::string_view text, std::size_t begin, std::size_t end) {
    static constexpr auto sections = std::to_array<std::string_view>(
        {"alias.", "core.", "pager.", "filter.", "diff.", "difftool.", "merge.", "mergetool.", "gpg.", "browser.",
         "man.", "sequence.", "trailer.", "guitool."});
    const auto name = text.substr(begin, end - begin);
    const bool listed = std::ranges::any_of(sections, [name](std::string_view one) { return name.starts_with(one); });
    return listed &&
           (word_before(text, begin) == "-c" || head_before(text, begin).find("git") != std::string_view::npos);
}

struct Sign {
    std::string_view text;
    Separator::Kind kind;
    bool comparison;
};

// Longest first.
constexpr std::array signs = std::to_array<Sign>({
    {"===", Separator::Kind::equals, true},
    {"!==", Separator::Kind::equals, true},
    {"\?\?=", Separator::Kind::equals, false},
    {"||=", Separator::Kind::equals, false},
    {"==", Separator::Kind::equals, true},
    {"!=", Separator::Kind::equals, true},
    {"=~", Separator::Kind::equals, true},
    {"=>", Separator::Kind::equals, false},
    {":=", Separator::Kind::equals, false},
    {"+=", Separator::Kind::equals, false},
    {"?=", Separator::Kind::equals, false},
    {"->", Separator::Kind::equals, true},
    {"=", Separator::Kind::equals, false},
    {":", Separator::Kind::colon, false},
});

// A colon that joins instead of separating: std::string, https://, /etc/passwd:/etc/passwd.
bool joining_colon(std::string_view text, std::size_t begin, std::size_t colon) {
    const auto rest = text.substr(colon + 1);
    if (rest.starts_with(':') || rest.starts_with("//")) return true;
    return begin > 0 && (text[begin - 1] == '/' || (begin > 1 && text.substr(begin - 2, 2) == "::"));
}

// PASSWORD= ls: a shell ends the assignment at the blank and runs the rest.
bool ends_assignment(const Sign& sign, bool spaced_before, bool spaced_after) {
    return (sign.text == "=" || sign.text == "+=") && !spaced_before && spaced_after;
}

void find_value(std::string_view text, Separator& separator) {
    separator.value = skip(text, separator.value, " \t");
    const auto rest = text.substr(separator.value);
    if (!rest.starts_with('[')) return;
    const auto first = skip(text, separator.value + 1, " \t");
    if (!quote_at(text, first)) return;
    separator.value = first;
    separator.kind = Separator::Kind::list;
}

std::optional<Separator> signed_separator(std::string_view text, std::size_t begin, std::size_t end,
                                          Separator separator) {
    const auto at = skip(text, end, " \t");
    if (at >= text.size() || std::string_view{"=:!?|+-"}.find(text[at]) == std::string_view::npos) return std::nullopt;
    const auto rest = text.substr(at);
    const auto sign = std::ranges::find_if(
        signs, [&](const Sign& one) { return rest[0] == one.text[0] && rest.starts_with(one.text); });
    if (sign == signs.end()) return std::nullopt;
    if (sign->kind == Separator::Kind::colon && joining_colon(text, begin, at)) return std::nullopt;
    separator.kind = sign->kind;
    separator.comparison = sign->comparison;
    separator.arrow = sign->text.ends_with('>');
    separator.value = at + sign->text.size();
    const bool spaced =
        separator.value < text.size() && (text[separator.value] == ' ' || text[separator.value] == '\t');
    if (!separator.name_quoted && ends_assignment(*sign, at > end, spaced)) return std::nullopt;
    if (sign->kind == Separator::Kind::colon && spaced && !separator.name_quoted && before_command(text, begin))
        return std::nullopt;
    separator.tight = at == end && !spaced && !sign->comparison;
    find_value(text, separator);
    return separator;
}

// define('DB_PASSWORD', 'secret'), setenv("TOKEN", "secret", 1): the first argument names the second.
std::optional<Separator> argument_separator(std::string_view text, std::size_t begin, std::size_t end,
                                            const Quote& quote) {
    if (end >= text.size() || text[end] != ',') return std::nullopt;
    const auto value = skip(text, end + 1, " \t");
    if (quote_at(text, value) != quote) return std::nullopt;
    const auto open = begin - quote.bytes();
    const bool call = open > 0 && text[open - 1] == '(';
    const auto kind = call ? Separator::Kind::equals : Separator::Kind::comma;
    return Separator{kind, value, true, false, true, false, std::nullopt, 0};
}

std::optional<Separator> word_separator(std::string_view text, std::size_t begin, std::size_t end, bool quoted) {
    const bool flag = text[begin] == '-';
    auto at = end;
    const bool listed = quoted && at < text.size() && text[at] == ',';
    if (listed) ++at;
    const auto value = skip(text, at, " \t");
    if (value == at || value >= text.size()) return std::nullopt;
    if (flag && !quoted && before_command(text, begin)) return std::nullopt;
    if (!flag && !takes_two_words(word_before(text, begin))) return std::nullopt;
    const auto quote = quote_at(text, value);
    if (quoted && !quote) return std::nullopt;  // "--password" in a sentence
    const auto first = value + (quote ? quote->bytes() : 0);
    // The next word is an option or a new command.
    if (first >= text.size() || text[first] == '-' ||
        (!quote && std::string_view{"|&;<>\n"}.find(text[value]) != std::string_view::npos)) {
        return std::nullopt;
    }
    return Separator{Separator::Kind::word, value, true, false, quoted, false, std::nullopt, 0};
}

}  // namespace

std::optional<Separator> separator_after(std::string_view text, std::size_t begin, std::size_t end) {
    if (word_before(text, begin) == "alias") return std::nullopt;  // the value is a command
    if (sets_git_command(text, begin, end)) return std::nullopt;
    Separator separator;
    const auto before = quote_before(text, begin);
    const auto after = quote_at(text, end);
    if (before && after == before) {
        separator.name_quoted = true;
        end += after->bytes();
        if (end < text.size() && text[end] == ']') ++end;
    } else if (before) {
        separator.inside = before;
    }
    if (begin > 0 && text[begin - 1] == '<' && end < text.size() && text[end] == '>') {
        return Separator{Separator::Kind::element, end + 1, true, false, true, false, std::nullopt, 0};
    }
    if (auto found = signed_separator(text, begin, end, separator)) {
        if (found->inside && found->tight &&
            (takes_assignment(word_before(text, begin)) || sets_container_variable(head_before(text, begin))))
            found->quoted_word = begin;
        return found;
    }
    if (separator.name_quoted && text[begin] != '-') {
        if (auto found = argument_separator(text, begin, end, *before)) return found;
    }
    return word_separator(text, begin, end, separator.name_quoted);
}

}  // namespace countersign::security
