// SPDX-License-Identifier: Apache-2.0
#include "core/command/danger.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace countersign {

namespace {

bool is_long(std::string_view word) { return word.size() > 2 && word.starts_with("--"); }
bool is_cluster(std::string_view word) { return word.size() > 1 && word[0] == '-' && word[1] != '-'; }

bool is_in_cluster(char letter, std::string_view word, std::string_view valued) {
    if (!is_cluster(word)) return false;
    for (const char c : word.substr(1)) {
        if (c == letter) return true;
        if (valued.find(c) != valued.npos) return false;
    }
    return false;
}

template <class Row> Danger danger_of_word(const Row& row, std::string_view word, std::string_view valued) {
    if (spells_any(row.runs, word, valued)) return Danger::runs;
    if constexpr (requires { row.deletes; }) {
        if (spells_any(row.deletes, word, valued)) return Danger::deletes;
    }
    return spells_any(row.writes, word, valued) ? Danger::writes : Danger::none;
}

// Matches one word of a `spelled` list. The caller handles `*`.
bool is_meant(std::string_view entry, std::string_view word, std::string_view valued) {
    const bool option = word.starts_with('-');
    if (entry == ":" || entry == "+") return word.starts_with(entry);
    if (entry == "=") return !option && word.find('=') != word.npos;
    return word == entry || (option && entry.starts_with('-') && spells_option(entry, word, valued));
}

bool any_meant(std::string_view list, std::string_view word, std::string_view valued) {
    while (!list.empty()) {
        const auto end = std::min(list.find(' '), list.size());
        if (is_meant(list.substr(0, end), word, valued)) return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

// After `--` every word is an operand; before it, every word that isn't an option.
std::size_t operand_count(const CommandWords& words) {
    const auto end = std::find(words.begin() + 1, words.end(), "--");
    const auto is_operand = [](std::string_view word) { return !word.starts_with('-') || word == "-"; };
    const auto behind = end == words.end() ? 0 : words.end() - end - 1;
    return static_cast<std::size_t>(std::count_if(words.begin() + 1, end, is_operand) + behind);
}

bool any_argument(const CommandWords& words, auto&& test) { return std::any_of(words.begin() + 1, words.end(), test); }

// An operand of date sets the clock, unless it is a format or the value of an option that prints another time.
bool sets_clock(const CommandWords& words) {
    constexpr std::string_view valued = "-d --date -r --reference -ud";
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (lists_word(valued, words[i])) {
            ++i;
        } else if (!words[i].starts_with('-') && !words[i].starts_with('+')) {
            return true;
        }
    }
    return false;
}

bool has_in_any_case(std::string_view text, std::string_view wanted) {
    const auto same = [](char one, char other) {
        return ((one >= 'A' && one <= 'Z') ? one - 'A' + 'a' : one) == other;
    };
    return !std::ranges::search(text, wanted, same).empty();
}

// `.tables` and `.schema` only print. With these words SQL opens, writes and loads files.
bool runs_in_sqlite(std::string_view word) {
    constexpr std::string_view printers = ".tables .schema .indexes .indices .databases .fullschema .dbinfo .show";
    const bool path = word.starts_with("./") || word.starts_with("../") || word == "." || word == "..";
    if (word.starts_with('.') && !path && !lists_word(printers, word.substr(0, word.find(' ')))) return true;
    constexpr auto reaching = std::to_array<std::string_view>(
        {"load_extension", "writefile", "readfile", "edit(", "edit (", "vacuum", "attach", "fts3_tokenizer"});
    return std::ranges::any_of(reaching, [word](std::string_view name) { return has_in_any_case(word, name); });
}

// ssh joins its words by blanks, and a shell of the other machine reads them again.
bool is_read_by_shell(std::string_view word) { return word.find_first_of(";&|<>()`$\n\r") != word.npos; }

// python3 -m json.tool IN OUT. The operands are counted from the module's name on.
bool json_tool_writes(const CommandWords& words) {
    const auto names_it = [](std::string_view word) {
        if (is_cluster(word) && word.find('m') != word.npos) word.remove_prefix(word.find('m') + 1);
        return word == "json.tool" || word == "json";
    };
    const auto module = std::find_if(words.begin() + 1, words.end(), names_it);
    if (module == words.end()) return false;
    CommandWords arguments{module, words.end()};
    const auto indent = std::ranges::find(arguments, "--indent");
    const bool valued = indent != arguments.end() && std::next(indent) != arguments.end();
    if (valued && std::find(arguments.begin(), indent, "--") == indent) arguments.erase(indent, indent + 2);
    return operand_count(arguments) > 1;
}

// Dangers in the words of these programs that a table of options can't describe.
Danger danger_of_words(Operands operands, const CommandWords& words) {
    const auto any = [&words](auto&& test) { return any_argument(words, test); };
    switch (operands) {
    case Operands::run:
        return words.size() > 1 ? Danger::runs : Danger::none;
    case Operands::old_options: {
        if (words.size() < 2 || words[1].starts_with('-')) return Danger::none;
        const auto* row = program_row(known_name(program_name(words.front())));
        return danger_of_word(*row, "-" + words[1], row->valued);
    }
    case Operands::remote_shell:
        return any(is_read_by_shell) ? Danger::runs : Danger::none;
    case Operands::python_module:
        return json_tool_writes(words) ? Danger::writes : Danger::none;
    case Operands::tmux_commands: {
        const auto runs = [](std::string_view word) { return word.ends_with(';') || word.find("#(") != word.npos; };
        return any(runs) ? Danger::runs : Danger::none;
    }
    case Operands::sql_shell:
        return any(runs_in_sqlite) ? Danger::runs : Danger::none;
    case Operands::formats: {
        const auto writes = [](std::string_view word) { return word.find("%output") != word.npos; };
        const auto from_file = [](std::string_view word) {
            const bool is_long = word.starts_with("--w") && word.find("=@") != word.npos;
            return is_long || (is_cluster(word) && word.find("w@") != word.npos);
        };
        for (std::size_t i = 1; i + 1 < words.size(); ++i) {
            const bool takes = spells_any("-w --write-out", words[i], "");
            if (takes && words[i + 1].starts_with('@')) return Danger::writes;
        }
        return any(writes) || any(from_file) ? Danger::writes : Danger::none;
    }
    case Operands::ip_object: {
        const auto runs = [](std::string_view word) {
            return !word.empty() && std::string_view{"exec"}.starts_with(word);
        };
        return any(runs) ? Danger::runs : Danger::none;
    }
    default:
        return Danger::none;
    }
}

Danger danger_of_operands(Operands operands, const CommandWords& words) {
    switch (operands) {
    case Operands::plain:
        break;
    case Operands::sed_script:
        return is_harmless_sed(words) ? Danger::none : Danger::runs;
    case Operands::awk_program:
        return is_harmless_awk(words) ? Danger::none : Danger::runs;
    case Operands::jq_filter:
        return is_harmless_jq(words) ? Danger::none : Danger::runs;
    case Operands::second_writes:
        return operand_count(words) > 1 ? Danger::writes : Danger::none;
    case Operands::sets_clock:
        return sets_clock(words) ? Danger::writes : Danger::none;
    case Operands::evaluated: {
        const auto evaluated = [](std::string_view word) { return word.find_first_of("[$`") != word.npos; };
        return any_argument(words, evaluated) ? Danger::runs : Danger::none;
    }
    case Operands::bsd_options: {
        // The letter e prints the environment of every process, and so does a column of that name.
        const auto prints = [](std::string_view word) {
            return (!word.starts_with('-') && word.find('e') != word.npos) || word.find("environ") != word.npos;
        };
        return any_argument(words, prints) ? Danger::runs : Danger::none;
    }
    default:
        return danger_of_words(operands, words);
    }
    return Danger::none;
}

}  // namespace

std::string_view program_name(std::string_view word) {
    const auto slash = word.rfind('/');
    return slash == std::string_view::npos ? word : word.substr(slash + 1);
}

std::string_view system_program(std::string_view word) {
    for (const std::string_view directory : {"/bin/", "/usr/bin/"}) {
        if (!word.starts_with(directory)) continue;
        word.remove_prefix(directory.size());
        break;
    }
    return word.find('/') == word.npos ? word : std::string_view{};
}

std::vector<std::string_view> glued_values(std::string_view word) {
    std::vector<std::string_view> values;
    if (!is_cluster(word) || word.size() < 3) return values;
    values.push_back(word.substr(2));
    const auto last = std::min(word.find_first_of("-/.~=:;,", 2), word.size() - 1);
    const auto name_end = std::min(word.find('/', 2), word.size());
    const auto first = name_end > file_name_bytes_max ? name_end - file_name_bytes_max : 0;
    for (auto begin = std::max<std::size_t>(first, 3); begin <= last; ++begin) values.push_back(word.substr(begin));
    const auto outside = std::min({word.find('/', 2), word.find("..", 2), word.find('~', 2)});
    if (outside > last && outside != word.npos) values.push_back(word.substr(outside));  // -Wl,-rpath../x
    return values;
}

bool spells_option(std::string_view option, std::string_view word, std::string_view valued_letters) {
    if (option == "+") return word.starts_with('+');
    if (option.ends_with('=')) return word.starts_with(option);
    if (option.starts_with("--")) {
        return is_long(word) && option.starts_with(word.substr(0, word.find('=')));
    }
    if (option.size() == 2) return is_in_cluster(option[1], word, valued_letters);
    // Options with one dash and a word, as in find, go and java; go also accepts two dashes.
    return word.starts_with(option) || (word.starts_with('-') && word.substr(1).starts_with(option));
}

bool spells_any(std::string_view options, std::string_view word, std::string_view valued_letters) {
    while (!options.empty()) {
        const auto end = std::min(options.find(' '), options.size());
        if (spells_option(options.substr(0, end), word, valued_letters)) return true;
        options.remove_prefix(std::min(end + 1, options.size()));
    }
    return false;
}

std::vector<std::size_t> words_to_spell_out(const CommandWords& words) {
    std::vector<std::size_t> found;
    const auto program = known_name(program_name(words.front()));
    const auto* row = program_row(program);
    if (row == nullptr) return found;
    const auto index = has_subcommands(program) ? subcommand_index(words) : 0;
    const auto* below = index > 0 && index < words.size() ? subcommand_row(program, words[index]) : nullptr;
    const bool reads = below != nullptr && index + 1 < words.size() && lists_word(below->reads, words[index + 1]);
    const bool all = below != nullptr && lists_word(below->spelled, "*") && !reads;
    for (auto i = index + 1; i < words.size(); ++i) {
        const bool listed = any_meant(row->spelled, words[i], row->valued) ||
                            spells_any(row->strays, words[i], row->valued) ||
                            (below != nullptr && any_meant(below->spelled, words[i], row->valued));
        if (all || listed) found.push_back(i);
    }
    return found;
}

bool reads_unnamed_files(const CommandWords& words) {
    const auto* row = program_row(known_name(program_name(words.front())));
    const auto strays = [row](std::string_view word) { return spells_any(row->strays, word, row->valued); };
    return row != nullptr && any_argument(words, strays);
}

std::vector<std::string_view> file_patterns(const CommandWords& words) {
    std::vector<std::string_view> patterns;
    const auto* row = program_row(known_name(program_name(words.front())));
    if (row == nullptr || row->selects.empty()) return patterns;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (!spells_any(row->selects, word, row->valued)) continue;
        if (const auto equals = word.find('='); equals != word.npos) patterns.push_back(word.substr(equals + 1));
        std::ranges::copy(glued_values(word), std::back_inserter(patterns));  // -ig*.env
        if (i + 1 < words.size()) patterns.emplace_back(words[i + 1]);
    }
    return patterns;
}

bool is_dangerous_option(const CommandWords& words, std::string_view word) {
    const auto program = known_name(program_name(words.front()));
    const auto* row = program_row(program);
    if (row == nullptr) return false;
    const auto index = has_subcommands(program) ? subcommand_index(words) : words.size();
    const bool before = std::find(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(index), word) !=
                        words.begin() + static_cast<std::ptrdiff_t>(index);
    if (program == "git" && before) return danger_of_git_globals(words) != Danger::none;
    const auto* below = index < words.size() ? subcommand_row(program, words[index]) : nullptr;
    return danger_of_word(*row, word, row->valued) != Danger::none ||
           (below != nullptr && danger_of_word(*below, word, row->valued) != Danger::none);
}

CommandDanger danger_of(const CommandWords& words) {
    const auto program = known_name(program_name(words.front()));
    if (program == "git") return git_danger(words);
    CommandDanger danger;
    const auto* row = program_row(program);
    if (row == nullptr) return danger;
    danger.nature = row->nature;
    const auto index = has_subcommands(program) ? subcommand_index(words) : words.size();
    const auto* below = index < words.size() ? subcommand_row(program, words[index]) : nullptr;
    if (below != nullptr) danger.nature = std::max(danger.nature, below->nature);
    if (index < words.size()) danger.name_words = index + 1;
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
        danger.arguments = std::max(danger.arguments, danger_of_word(*row, *word, row->valued));
        if (below != nullptr) danger.arguments = std::max(danger.arguments, danger_of_word(*below, *word, row->valued));
    }
    danger.arguments = std::max(danger.arguments, danger_of_operands(row->operands, words));
    return danger;
}

}  // namespace countersign
