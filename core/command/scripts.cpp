// SPDX-License-Identifier: Apache-2.0
// Decides which scripts of sed, awk and jq only read and print. Scripts that aren't recognised aren't harmless.
#include "core/command/danger.hpp"

#include <algorithm>
#include <array>

namespace countersign {

namespace {

// Accepts only addresses like 12, $, 1,$ and 10,+5 before the command letter.
std::string_view without_address(std::string_view script) {
    const auto begin = script.find_first_not_of("0123456789,$+~ ");
    return begin == script.npos ? std::string_view{} : script.substr(begin);
}

// s/one/two/gp with exactly three delimiters and flags that only choose what is replaced: e runs, w writes.
bool is_harmless_substitution(std::string_view command) {
    if (command.size() < 4 || command[0] != 's') return false;
    const char delimiter = command[1];
    if (std::string_view{"/|#,:@!%_"}.find(delimiter) == std::string_view::npos) return false;
    std::size_t delimiters = 0;
    std::size_t last = 0;
    for (std::size_t i = 1; i < command.size(); ++i) {
        if (command[i] == '\\') {
            ++i;
        } else if (command[i] == delimiter) {
            ++delimiters;
            last = i;
        }
    }
    const auto flags = command.substr(last + 1);
    return delimiters == 3 && flags.find_first_not_of("gpiI0123456789") == flags.npos;
}

bool is_harmless_sed_script(std::string_view script) {
    const auto command = without_address(script);
    if (command == "p" || command == "d" || command == "=" || command == "q") return true;
    return is_harmless_substitution(command);
}

// -i writes, which the table handles, and runs nothing; the text after the letter is the suffix of a copy.
bool is_harmless_sed_option(std::string_view word) {
    const auto end = std::min(word.find_first_not_of("nErsuz", 1), word.size());
    return word.size() > 1 && (end == word.size() || word[end] == 'i' || word.starts_with("--in-place"));
}

template <class List> bool mentions_any(std::string_view text, const List& words) {
    return std::ranges::any_of(words, [text](std::string_view word) { return text.find(word) != text.npos; });
}

// Checks every word, because the options decide which of them is the program.
template <class List> bool no_word_mentions(const CommandWords& words, const List& list) {
    return std::none_of(words.begin() + 1, words.end(),
                        [&list](std::string_view word) { return mentions_any(word, list); });
}

}  // namespace

// Accepts only `sed [-nErsuz] SCRIPT FILE…` and `sed [-n] -e SCRIPT -e SCRIPT FILE…`.
bool is_harmless_sed(const CommandWords& words) {
    std::size_t scripts = 0;
    auto word = words.begin() + 1;
    for (; word != words.end() && word->starts_with('-'); ++word) {
        const bool expression = *word == "-e" || *word == "-ne";
        if (expression && std::next(word) != words.end()) {
            if (!is_harmless_sed_script(*++word)) return false;
            ++scripts;
        } else if (!is_harmless_sed_option(*word)) {
            return false;
        }
    }
    if (scripts == 0) {
        if (word == words.end() || !is_harmless_sed_script(*word)) return false;
        ++word;
    }
    return std::none_of(word, words.end(), [](const std::string& operand) { return operand.starts_with('-'); });
}

// system(), pipes, getline and redirections run or write. ARGV and @ (@include, @load, indirect calls) reach files and
// functions that no word names. ENVIRON and PROCINFO print the shell's environment. gawk reaches each of them through
// SYMTAB and FUNCTAB, by a name that the script builds. Before the first action `>` is a comparison and `|` is half of
// an "or"; with -e an action may start in another word.
bool is_harmless_awk(const CommandWords& words) {
    constexpr auto suspicious =
        std::to_array<std::string_view>({"system", "getline", "@", "ARG", "ENVIRON", "PROCINFO", "SYMTAB", "FUNCTAB"});
    const auto is_source = [](std::string_view word) { return spells_any("-e --source", word, "Fv"); };
    const bool several = std::any_of(words.begin() + 1, words.end(), is_source);
    const auto redirects = [several](std::string_view word) {
        return word.find_first_of("|>", several ? 0 : word.find('{')) != word.npos;
    };
    return words.size() > 1 && no_word_mentions(words, suspicious) &&
           std::none_of(words.begin() + 1, words.end(), redirects);
}

// A filter can print the environment and load modules.
bool is_harmless_jq(const CommandWords& words) {
    constexpr auto suspicious = std::to_array<std::string_view>(
        {"env", "ENV", "import", "include", "load", "modulemeta", "eval", "system", "exec"});
    return no_word_mentions(words, suspicious);
}

}  // namespace countersign
