// SPDX-License-Identifier: Apache-2.0
#include "core/command/pattern.hpp"

#include "core/glob.hpp"

#include <algorithm>

namespace countersign {

namespace {

using Views = std::vector<std::string_view>;

bool is_flag(std::string_view word) { return word.size() > 1 && word.starts_with('-'); }
bool is_wild(std::string_view word) { return word.find_first_of("*?") != word.npos; }

struct Pattern {
    Views words;
    bool open_ended = false;  // its last word was "*"
};

Pattern pattern_of(std::string_view text) {
    Pattern pattern;
    while (true) {
        const auto begin = text.find_first_not_of(" \t");
        if (begin == std::string_view::npos) break;
        const auto end = std::min(text.find_first_of(" \t", begin), text.size());
        pattern.words.push_back(text.substr(begin, end - begin));
        text.remove_prefix(end);
    }
    pattern.open_ended = !pattern.words.empty() && pattern.words.back() == "*";
    if (pattern.open_ended) pattern.words.pop_back();
    return pattern;
}

bool spells_out(std::string_view text, std::size_t name_words) {
    const auto pattern = pattern_of(text);
    return pattern.words.size() >= name_words &&
           std::none_of(pattern.words.begin(), pattern.words.begin() + static_cast<std::ptrdiff_t>(name_words),
                        is_wild);
}

bool has_literally(std::string_view text, std::size_t index) {
    const auto pattern = pattern_of(text);
    return index < pattern.words.size() && !is_wild(pattern.words[index]);
}

// A program that isn't in the table may do anything, and so may one that is given by a path.
bool is_known_program(const CommandWords& words) {
    const auto program = system_program(words.front());
    return !program.empty() && program_row(known_name(program)) != nullptr;
}

struct Split {
    Views operands;  // the program first
    Views flags;
};

Split split(const Views& words) {
    Split parts;
    for (const std::string_view word : words) {
        if (!parts.operands.empty() && is_flag(word)) {
            parts.flags.push_back(word);
        } else {
            parts.operands.push_back(word);
        }
    }
    return parts;
}

// The values of git's own options before its subcommand aren't operands.
Views without_git_globals(const CommandWords& words) {
    const auto index = subcommand_index(words);
    Views rest{words.begin(), words.end()};
    const bool git = known_name(program_name(words.front())) == "git" && index < words.size();
    if (git) rest.erase(rest.begin() + 1, rest.begin() + static_cast<std::ptrdiff_t>(index));
    return rest;
}

std::string_view name_part(std::string_view flag) { return flag.substr(0, flag.find('=')); }

// True if every letter of -rf is given: as -r -f, as -fr, or by an alias.
bool letters_are_given(std::string_view program, std::string_view subcommand, std::string_view wanted,
                       const Views& flags) {
    return std::ranges::all_of(wanted.substr(1), [&](char letter) {
        const std::string option{'-', letter};
        return std::ranges::any_of(flags, [&](std::string_view flag) {
            if (spells_option(option, flag, "")) return true;
            if (flag.starts_with("--")) return is_alias(program, subcommand, option, name_part(flag));
            return std::any_of(flag.begin() + 1, flag.end(), [&](char given) {
                return is_alias(program, subcommand, option, std::string{'-', given});
            });
        });
    });
}

bool given_by_alias(std::string_view program, std::string_view subcommand, std::string_view wanted,
                    const Split& command) {
    const bool forced = program == "git" && subcommand == "push" && wanted == "--force";
    const auto plus = [](std::string_view word) { return word.starts_with('+'); };
    if (forced && std::ranges::any_of(command.operands, plus)) return true;  // +main also forces
    return std::ranges::any_of(command.flags, [&](std::string_view flag) {
        if (flag.starts_with("--")) return false;
        return std::any_of(flag.begin() + 1, flag.end(), [&](char letter) {
            return is_alias(program, subcommand, wanted, std::string{'-', letter});
        });
    });
}

bool flag_fits(std::string_view wanted, const Split& command) {
    const auto program = known_name(program_name(command.operands.front()));
    const auto subcommand = command.operands.size() > 1 ? command.operands[1] : std::string_view{};
    const bool valued = wanted.find('=') != wanted.npos;
    const auto as_written = [&](std::string_view flag) {
        return glob_fits(wanted, flag) || (!valued && glob_fits(wanted, name_part(flag)));
    };
    if (std::ranges::any_of(command.flags, as_written)) return true;
    const auto literal = wanted.substr(0, wanted.find_first_of("*?"));
    if (valued || literal.size() < 2) return false;
    if (!literal.starts_with("--")) {
        constexpr std::size_t cluster_max = 4;  // -xdf; a longer one is a word with one dash
        return literal.size() <= cluster_max && letters_are_given(program, subcommand, literal, command.flags);
    }
    const auto shortened = [&](std::string_view flag) {
        return flag.starts_with("--") && flag.size() > 2 && literal.starts_with(name_part(flag));
    };
    return given_by_alias(program, subcommand, literal, command) || std::ranges::any_of(command.flags, shortened);
}

// Where the value of this option starts: after `=`, or after a letter whose value is the rest of the word. npos if it
// has none.
std::size_t value_begin(const Views& words, std::string_view option, const Views& wanted) {
    if (option.starts_with("--")) return option.find('=');
    const auto program = known_name(program_name(words.front()));
    const auto subcommand = words.size() > 1 ? words[1] : std::string_view{};
    const auto* row = program_row(program);
    for (std::size_t at = 1; at + 1 < option.size(); ++at) {
        const std::string letter{'-', option[at]};
        const auto is_wanted = [&](std::string_view flag) {
            return flag == letter || is_alias(program, subcommand, name_part(flag), letter);
        };
        const bool valued = row != nullptr && row->valued.find(option[at]) != std::string_view::npos;
        if (valued || std::ranges::any_of(wanted, is_wanted)) return at + 1;
    }
    return std::string_view::npos;
}

// Splits the value of an option into a word of its own: --network=host becomes --network host.
Views separated(const Views& words, const Views& wanted) {
    Views apart;
    for (const auto word : words) {
        const auto begin = !apart.empty() && is_flag(word) ? value_begin(words, word, wanted) : word.npos;
        apart.push_back(word.substr(0, begin));
        if (begin != word.npos) apart.push_back(word.substr(word[begin] == '=' ? begin + 1 : begin));
    }
    return apart;
}

bool program_fits(std::string_view wanted, std::string_view word) {
    const auto name = program_name(word);
    return glob_fits(wanted, word) || glob_fits(wanted, name) || glob_fits(wanted, known_name(name));
}

Fit operands_fit(const Split& wanted, const Split& command, bool open_ended) {
    if (wanted.operands.empty()) return Fit::yes;
    if (!program_fits(wanted.operands.front(), command.operands.front())) return Fit::no;
    const auto fits = [](std::string_view one, std::string_view word) { return glob_fits(one, word); };
    const auto size = wanted.operands.size();
    const bool enough = open_ended ? command.operands.size() >= size : command.operands.size() == size;
    if (enough && std::equal(wanted.operands.begin() + 1, wanted.operands.end(), command.operands.begin() + 1, fits)) {
        return Fit::yes;
    }
    if (command.flags.empty() || command.operands.size() <= size) return Fit::no;
    const bool other_subcommand = size > 1 && !fits(wanted.operands[1], command.operands[1]);
    if (other_subcommand && known_name(program_name(command.operands.front())) == "git") return Fit::no;
    // Some operands may be values of flags; the pattern could match the remaining ones.
    auto next = wanted.operands.begin() + 1;
    for (auto word = command.operands.begin() + 1; word != command.operands.end() && next != wanted.operands.end();
         ++word) {
        if (glob_fits(*next, *word)) ++next;
    }
    return next == wanted.operands.end() ? Fit::maybe : Fit::no;
}

Fit loose_fit(const Split& wanted, const Split& command, bool open_ended) {
    const auto given = [&](std::string_view flag) { return flag_fits(flag, command); };
    if (!std::ranges::all_of(wanted.flags, given)) return Fit::no;
    return operands_fit(wanted, command, open_ended || !wanted.flags.empty());
}

}  // namespace

std::vector<std::string_view> pattern_words(std::string_view text, std::size_t count) {
    auto words = pattern_of(text).words;
    words.resize(count, "*");
    return words;
}

bool command_fits(std::string_view text, const CommandWords& words) {
    const auto pattern = pattern_of(text);
    if (words.size() < pattern.words.size() || (!pattern.open_ended && words.size() != pattern.words.size()))
        return false;
    return std::equal(pattern.words.begin(), pattern.words.end(), words.begin(),
                      [](std::string_view one, const std::string& word) { return glob_fits(one, word); });
}

bool command_is_covered(std::string_view pattern, const CommandWords& words, bool elsewhere) {
    const auto danger = danger_of(words);
    if (danger.arguments != Danger::none) return false;
    if (danger.nature == Danger::repository && elsewhere) return false;
    if ((danger.nature != Danger::none || !is_known_program(words)) && !spells_out(pattern, danger.name_words))
        return false;
    const auto wide = words_to_spell_out(words);
    if (!std::ranges::all_of(wide, [&](std::size_t index) { return has_literally(pattern, index); })) return false;
    return pattern.empty() || command_fits(pattern, words);
}

Fit command_may_fit(std::string_view text, const CommandWords& words) {
    const auto pattern = pattern_of(text);
    if (pattern.words.empty() && !pattern.open_ended) return Fit::no;
    auto best = danger_of(words).arguments == Danger::runs ? Fit::maybe : Fit::no;
    const auto command = without_git_globals(words);
    for (const auto& wanted : {split(pattern.words), split(separated(pattern.words, {}))}) {
        for (const auto& given : {split(command), split(separated(command, wanted.flags))}) {
            best = std::max(best, loose_fit(wanted, given, pattern.open_ended));
        }
    }
    return best;
}

FlawedWord flaw_of(std::string_view text, bool allows) {
    const auto pattern = pattern_of(text);
    if (pattern.words.empty()) return {};
    const auto joins = [](std::string_view word) { return word.find_first_of("|&;<>`") != word.npos; };
    const auto join = std::ranges::find_if(pattern.words, joins);
    if (join != pattern.words.end()) return {PatternFlaw::list, *join};
    if (is_wrapper(program_name(pattern.words.front()))) return {PatternFlaw::wrapper, pattern.words.front()};
    const CommandWords words{pattern.words.begin(), pattern.words.end()};
    const auto dangerous = [&](std::string_view word) { return is_flag(word) && is_dangerous_option(words, word); };
    const auto option = std::find_if(pattern.words.begin() + 1, pattern.words.end(), dangerous);
    if (allows && option != pattern.words.end()) return {PatternFlaw::option, *option};
    return {};
}

}  // namespace countersign
